#include "runner/hosts/allocator.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/hosts/mappings.h"
#include "runner/hosts/process_environment.h"

namespace lab::hosts {

std::vector<std::string> preload_entries(std::string_view ld_preload) {
  std::string normal(ld_preload);
  std::replace(normal.begin(), normal.end(), ' ', ':');
  std::vector<std::string> entries = split(normal, ':');
  std::erase(entries, "");
  return entries;
}

namespace {

// "jemalloc" of "/usr/lib/libjemalloc.so.2"; empty if it is no library.
std::string library_stem(const fs::path& path) {
  std::string name = path.filename();
  size_t end = name.find(".so");
  if (!name.starts_with("lib") || end == std::string::npos) return {};
  return name.substr(3, end - 3);
}

bool is_allocator(std::string_view stem) {
  for (std::string_view known : {"jemalloc", "tcmalloc", "mimalloc"})
    if (stem.starts_with(known)) return true;
  return false;
}

// The place of a mapped library in LD_PRELOAD, whose first entry wins; names without
// a slash are looked up by the loader, so only the file name is compared.
size_t preload_place(const fs::path& path, const std::string& ld_preload) {
  const std::vector<std::string> entries = preload_entries(ld_preload);
  for (size_t i = 0; i < entries.size(); ++i) {
    fs::path entry(entries[i]);
    // The mapped path has links resolved: libjemalloc.so may be mapped as libjemalloc.so.2.
    if (entry.filename() == path.filename() || library_stem(entry) == library_stem(path)) return i;
  }
  return std::string::npos;
}

const MappedFile* c_library(const std::vector<MappedFile>& files, std::string* name) {
  for (const MappedFile& file : files) {
    std::string base = file.path.filename();
    bool glibc = base.starts_with("libc.so.") || base.starts_with("libc-2.");
    bool musl = base.starts_with("ld-musl") || base.starts_with("libc.musl");
    if (!glibc && !musl) continue;
    *name = glibc ? "glibc" : "musl";
    return &file;
  }
  return nullptr;
}

std::string search_program(const fs::path& program) {
  constexpr size_t block = size_t{4} << 20;
  constexpr size_t overlap = 64;  // longer than any of the texts that are looked for
  std::ifstream in(program, std::ios::binary);
  std::string window;
  std::string part(block, '\0');
  while (in) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    window.append(part, 0, static_cast<size_t>(in.gcount()));
    if (std::string found = allocator_in_program(window); !found.empty()) return found;
    if (window.size() > overlap) window.erase(0, window.size() - overlap);
  }
  return {};
}

}  // namespace

bool is_allocator_library(const fs::path& file) {
  const std::string stem = library_stem(file);
  return is_allocator(stem) || stem == "c";
}

std::vector<MappedFile> parse_maps(std::string_view text) {
  std::vector<MappedFile> files;
  for (const Mapping& mapping : parse_mappings(text)) {
    MappedFile file{mapping.path, mapping.deleted};
    if (std::find(files.begin(), files.end(), file) == files.end())
      files.push_back(std::move(file));
  }
  return files;
}

Allocator allocator_of(const std::vector<MappedFile>& files, const std::string& ld_preload,
                       const std::string& in_program) {
  struct Candidate {
    const MappedFile* file;
    size_t place;
  };
  std::vector<Candidate> candidates;
  for (const MappedFile& file : files)
    if (is_allocator(library_stem(file.path)))
      candidates.push_back({&file, preload_place(file.path, ld_preload)});
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.place < b.place; });

  Allocator found;
  auto name_others = [&](size_t from) {
    for (size_t i = from; i < candidates.size(); ++i)
      found.others.push_back(library_stem(candidates[i].file->path));
  };
  // A program's own definition of malloc comes before every library's, also preloaded.
  if (!in_program.empty()) {
    found.name = in_program;
    name_others(0);
    return found;
  }
  std::string c_name;
  const MappedFile* libc = c_library(files, &c_name);
  const size_t libc_place = libc ? preload_place(libc->path, ld_preload) : std::string::npos;
  // A C library that is preloaded goes before what the program is linked with.
  if (libc && (candidates.empty() || libc_place < candidates[0].place)) {
    found = {.name = c_name,
             .library = libc->path,
             .deleted = libc->deleted,
             .preloaded = libc_place != std::string::npos};
    name_others(0);
    return found;
  }
  if (candidates.empty()) return {.name = "unknown"};
  found.preloaded = candidates[0].place != std::string::npos;
  if (!found.preloaded && candidates.size() > 1) {
    // Two linked ones: which comes first is only in the program's list of libraries.
    found.name = "unknown";
    name_others(0);
    return found;
  }
  found.name = library_stem(candidates[0].file->path);
  found.library = candidates[0].file->path;
  found.deleted = candidates[0].file->deleted;
  name_others(1);
  return found;
}

std::string allocator_in_program(std::string_view bytes) {
  // Beginnings of the allocators' own messages, with a bar put in that is taken out
  // again here: else lab's own program would look as if it had all of them.
  constexpr std::array<std::pair<std::string_view, const char*>, 4> signs = {
      {{"<jem|alloc>: ", "jemalloc"},
       {"mim|alloc: warning: ", "mimalloc"},
       {"tcm|alloc: large alloc", "tcmalloc"},
       {"TCM|ALLOC_LARGE_ALLOC_REPORT_THRESHOLD", "tcmalloc"}}};
  for (const auto& [barred, name] : signs) {
    std::string sign(barred);
    sign.erase(sign.find('|'), 1);
    if (bytes.find(sign) != std::string_view::npos) return name;
  }
  return {};
}

std::vector<fs::path> parse_ldd(std::string_view answer) {
  std::vector<fs::path> libraries;
  for (const std::string& line : split(answer, '\n')) {
    // "libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f…)", or only the path.
    const size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    libraries.emplace_back(line.substr(slash, line.find(' ', slash) - slash));
  }
  return libraries;
}

std::string linked_allocator(const fs::path& program) {
  const Finished ldd = run_command({.argv = {"ldd", program.string()}}, std::chrono::seconds(10));
  if (ldd.status != 0) return "";
  std::vector<MappedFile> files;
  for (const fs::path& library : parse_ldd(ldd.out)) files.push_back({.path = library});
  return allocator_of(files, "", search_program(program)).name;
}

Allocator read_allocator(pid_t pid) {
  fs::path proc = fmt::format("/proc/{}", pid);
  std::vector<MappedFile> files = parse_maps(read_file(proc / "maps"));
  std::string preload = read_environ(pid)["LD_PRELOAD"];
  // Through /proc, so that a program in a container, or one replaced since, is the right one.
  return allocator_of(files, preload, search_program(proc / "exe"));
}

}  // namespace lab::hosts
