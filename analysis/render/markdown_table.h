// A table in Markdown (GitHub's).
#pragma once

#include <string>
#include <vector>

#include "analysis/render/layout.h"

namespace lab::analysis {

// All columns, whatever their rank; texts are made harmless.
std::string markdown_table(const std::vector<Column>& columns);

}  // namespace lab::analysis
