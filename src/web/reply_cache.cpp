#include "web/reply_cache.h"

namespace ridgeline::web {
namespace {

constexpr std::size_t bytes_of_an_entry = 512;  // list node, map node, shared block

}  // namespace

std::size_t ReplyCache::size_of(const Entry& entry) {
    return entry.key.size() + entry.answer->body.size() + bytes_of_an_entry;
}

SharedAnswer ReplyCache::find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) {
        return nullptr;
    }
    recent_.splice(recent_.begin(), recent_, found->second);
    return found->second->answer;
}

void ReplyCache::keep(const std::string& key, const SharedAnswer& answer) {
    const std::lock_guard lock(mutex_);
    if (places_.count(key) != 0) {
        return;
    }
    recent_.push_front({key, answer});
    places_.emplace(recent_.front().key, recent_.begin());
    bytes_ += size_of(recent_.front());
    while (bytes_ > most_bytes_) {
        bytes_ -= size_of(recent_.back());
        places_.erase(recent_.back().key);
        recent_.pop_back();
    }
}

std::size_t ReplyCache::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

}  // namespace ridgeline::web
