// What the worker uses of the library unordered_dense, which no Debian package brings, by the containers of the standard
// library. They have the same functions and are merely slower.
#ifndef NOLO_ANKERL_UNORDERED_DENSE_H
#define NOLO_ANKERL_UNORDERED_DENSE_H

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace ankerl::unordered_dense
{
	template<typename T>
	using hash = std::hash<T>;

	template<typename Key, typename Value, typename Hash = hash<Key>, typename Equal = std::equal_to<Key>>
	using map = std::unordered_map<Key, Value, Hash, Equal>;

	template<typename Key, typename Hash = hash<Key>, typename Equal = std::equal_to<Key>>
	using set = std::unordered_set<Key, Hash, Equal>;
} // namespace ankerl::unordered_dense

#endif
