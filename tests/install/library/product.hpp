// The interface of a user's library: "ij,jk->ik" of rows that lie one after the other.
#pragma once

#include <vector>

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int inner);
