# The documentation as a site; ./dev docs builds it. Pages are the Markdown files of the repository,
# where they stand there, so that a link leads to the same page on the site and in the repository.
project = "xeinsum"
extensions = ["myst_parser", "breathe"]

root_doc = "docs/index"
exclude_patterns = ["build"]  # where whole systems may be, with links in circles
include_patterns = ["*.md", "docs/**.md", "*/README.md", "tests/conformance/README.md"]
myst_heading_anchors = 4  # links to headings, named as in the repository
highlight_language = "none"

html_theme = "furo"
html_title = "xeinsum"
html_copy_source = False
html_show_copyright = False

breathe_projects = {"xeinsum": "../build/doxygen/xml"}
breathe_default_project = "xeinsum"
