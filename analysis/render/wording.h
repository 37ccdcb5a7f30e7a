// What all forms for people say in the same words: figures, conditions, legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

// "4k", "1m", "512": a block size as fio's job files write it; "?" for 0: several, or not known.
std::string short_bytes(uint64_t bytes);

// "1380/10900 (4k)"; "-" for a direction that the row does not have; "pending" or
// "failed" while there is no figure.
std::string iops_text(const TableRow& row);

// I/Os a second: whole ones, with a decimal where they are few; "-" for none.
std::string iops_number(std::optional<double> iops);

// "12.3" or "-".
std::string number_text(std::optional<double> value, int decimals);

// Milliseconds with about three digits: "12.4", "0.412".
std::string latency_text(std::optional<double> ms);

// "1.2/0.4" of writes and reads; "-" alone if there is neither.
std::string pair_text(std::optional<double> write, std::optional<double> read, int decimals,
                      bool sign = false);

// "baseline", or pair_text of the differences.
std::string difference_text(const TableRow& row);

// Verdicts of both directions; empty as long as there are none.
std::string verdict_text(const TableRow& row);

// "1 2? 3!": the numbers of the legend, with ? for doubtful and ! for invalid.
std::string marks_text(const Table& table, const std::vector<size_t>& marks);
std::string mark_number(const Table& table, size_t mark);
// "doubtful: runs 1-3: a scrub ran": what a legend says of it, after its number.
std::string mark_text(const Table& table, size_t mark);

// The marks of a row and of the whole table: who takes a line out takes them all with it.
std::vector<size_t> marks_of(const Table& table, const TableRow& row);
// The gravest of them; none if there is none.
std::optional<results::Weight> worst_mark(const Table& table, const TableRow& row);

// "4k-randrw, by cache and ioengine".
std::string title_text(const Table& table);

// Key and text of everything that a figure depends on.
results::TextList conditions(const Table& table);

// What the repetitions show, how to read the figures, and what lab's own work took: a
// paragraph a line.
std::vector<std::string> reading_notes(const Table& table);
// How to read the figures alone.
std::vector<std::string> figure_notes(const Table& table);
// "Time outside fio: …"; empty where it was not recorded.
std::string overhead_text(const Table& table);

// Some row had dirty data to flush at its end, long enough to count.
bool has_flush(const Table& table);

}  // namespace lab::analysis
