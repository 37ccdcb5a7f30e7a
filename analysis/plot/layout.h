// What the kinds of plots have in common: fields of data files, colours, axes, places of
// panels, and a legend. All pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

// A text as a field of a data file, in double quotes. Names are data and never stand in a
// script: from a file gnuplot takes them as they are, whatever they say. Control characters
// become spaces, bytes that are no UTF-8 U+FFFD, and what an SVG could not hold is parted.
std::string data_text(std::string_view text);

// "-" for none, and for what is no number.
std::string data_number(std::optional<double> value);

// Colours that people with colour blindness tell apart (Okabe and Ito, 2008, without yellow,
// which white swallows), repeating: 0xRRGGBB, as gnuplot's `rgb variable` takes it.
uint32_t series_colour(size_t index);
// The same as gnuplot's `rgb '#0072b2'`.
std::string rgb(uint32_t colour);

// How a row is called: its test, its type if another row has the same test, and its marks as
// in the table ("4k-off [2?]"), since no figure stands anywhere without them.
std::string row_label(const Table& table, const TableRow& row);

// A percentile, if at least 10 I/Os lie beyond it: fewer say nothing of it.
std::optional<double> supported_ms(const Histogram& clat, double percent);

// "500", "2.5k", "1.25M".
std::string short_number(double value);

// `('0' 0, '2k' 2000)`: round steps from 0 up to `max`, at most `most` of them beyond 0.
std::string linear_tics(double max, int most);

// The range and the tics of a logarithmic axis that holds all of `values` (those above 0), as
// two commands; `axis` is 'x' or 'y'.
std::string log_axis(char axis, const std::vector<double>& values);

// Pixels of the SVG, from its upper left corner.
struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;
};

// The commands that put the next panel's axes there.
std::string place(const Box& box, int width, int height);

// Places for `panels` (1 or 2) side by side.
std::vector<Box> side_by_side(size_t panels, int width, int top, int bottom);

struct LegendEntry {
  std::string name;
  uint32_t colour = 0;
  int dash = 1;  // gnuplot's dashtype: 1 solid, 2 dashed, 3 dotted, 4 dash and dot
};

// A legend below the panels, from `top` on: as many columns as the names leave room for.
struct Legend {
  int height = 0;
  std::string data;  // of the file named
  std::string body;
};
Legend legend_below(const std::vector<LegendEntry>& entries, const std::string& file, int width,
                    int top);
// How high it will be.
int legend_height(const std::vector<LegendEntry>& entries, int width);

}  // namespace lab::analysis
