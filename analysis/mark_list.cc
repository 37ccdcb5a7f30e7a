#include "analysis/mark_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lab::analysis {
namespace {

// Inserts into an ascending list, once.
template <typename T>
void insert_once(std::vector<T>& list, T value) {
  auto at = std::lower_bound(list.begin(), list.end(), value);
  if (at == list.end() || *at != value) list.insert(at, value);
}

}  // namespace

std::string ranges(const std::vector<unsigned>& numbers) {
  std::string out;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!out.empty()) out += ", ";
    out +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return out;
}

MarkList::Shape MarkList::shape_of(const std::string& text) {
  Shape shape;
  std::string piece;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    double value = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + end, value);
    // As a whole, so that 1.2.3% is none.
    if (end > at && end < text.size() && text[end] == '%' && read.ec == std::errc() &&
        read.ptr == text.data() + end) {
      const Percent percent{text.substr(at, end - at), value};
      shape.pieces.push_back(std::exchange(piece, ""));
      shape.percents.emplace_back(percent, percent);
      at = end;
    } else {
      const size_t next = std::max(end, at + 1);
      piece += text.substr(at, next - at);
      at = next;
    }
  }
  shape.pieces.push_back(piece);
  return shape;
}

void MarkList::add(std::vector<size_t>& owner, const results::Mark& mark, unsigned run) {
  const Shape shape = shape_of(mark.text);
  size_t at = 0;
  while (at < marks_.size() &&
         (marks_[at].mark.weight != mark.weight || marks_[at].mark.code != mark.code ||
          shapes_[at].pieces != shape.pieces))
    ++at;
  if (at == marks_.size()) {
    marks_.push_back({mark, {}});
    shapes_.push_back(shape);
  }
  for (size_t i = 0; i < shape.percents.size(); ++i) {
    auto& [least, greatest] = shapes_[at].percents[i];
    const Percent& percent = shape.percents[i].first;
    if (percent.value < least.value) least = percent;
    if (percent.value > greatest.value) greatest = percent;
  }
  if (run != 0) insert_once(marks_[at].runs, run);
  insert_once(owner, at);
}

std::vector<TableMark> MarkList::take() {
  for (size_t i = 0; i < marks_.size(); ++i) {
    const Shape& shape = shapes_[i];
    std::string text = shape.pieces[0];
    for (size_t p = 0; p < shape.percents.size(); ++p) {
      const auto& [least, greatest] = shape.percents[p];
      text += least.text;
      if (greatest.value > least.value) text += " to " + greatest.text;
      text += shape.pieces[p + 1];
    }
    marks_[i].mark.text = std::move(text);
  }
  shapes_.clear();
  return std::move(marks_);
}

std::string legend_text(const TableMark& mark) {
  if (mark.runs.empty()) return mark.mark.text;
  return fmt::format("run{} {}: {}", mark.runs.size() == 1 ? "" : "s", ranges(mark.runs),
                     mark.mark.text);
}

}  // namespace lab::analysis
