// Things of a process that several jobs use together while any of them needs them:
// cluster connections, open images.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace lab::io {

// The first to ask for a key makes the thing, the last to let go destroys it. Making
// and destroying exclude each other for one key (nobody opens what is just being
// closed), and different keys don't wait for each other.
template <typename T>
class SharedRegistry {
  struct Entry {
    std::mutex mutex;
    std::unique_ptr<T> value;
    size_t users = 0;
  };

 public:
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&& other) noexcept {
      std::swap(entry_, other.entry_);
      return *this;
    }
    ~Lease() {
      if (!entry_) return;
      std::lock_guard lock(entry_->mutex);
      if (--entry_->users == 0) entry_->value.reset();
    }

    T* operator->() const { return entry_->value.get(); }
    T& operator*() const { return *entry_->value; }
    explicit operator bool() const { return entry_ != nullptr; }

   private:
    friend class SharedRegistry;
    explicit Lease(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {}
    std::shared_ptr<Entry> entry_;
  };

  // `make` returns a std::unique_ptr<T>; what it throws comes out here, and the next
  // to ask tries again.
  template <typename Make>
  Lease take(const std::string& key, Make make) {
    std::shared_ptr<Entry> entry;
    {
      std::lock_guard lock(mutex_);
      std::shared_ptr<Entry>& found = entries_[key];
      if (!found) found = std::make_shared<Entry>();
      entry = found;
    }
    std::lock_guard lock(entry->mutex);
    if (entry->users == 0) entry->value = make();
    ++entry->users;
    return Lease(std::move(entry));
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace lab::io
