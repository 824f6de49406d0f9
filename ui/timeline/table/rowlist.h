// The session rows that a view shows, in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/operations/packednumbers.h"

#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

namespace sonde::ui {

// Usually all rows are shown, each at the place of its number: for the rows from the first on for which that is true,
// only their count is stored. The others are listed, in any order; nearby row numbers take few bits each.
class RowList {
public:
    class Iterator {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = quint32;
        using difference_type = std::ptrdiff_t;
        using pointer = const quint32 *;
        using reference = quint32;

        Iterator() = default;
        quint32 operator*() const { return (*m_list)[size_t(m_at)]; }
        quint32 operator[](difference_type by) const { return (*m_list)[size_t(m_at + by)]; }
        Iterator &operator+=(difference_type by)
        {
            m_at += by;
            return *this;
        }
        Iterator &operator-=(difference_type by) { return *this += -by; }
        Iterator &operator++() { return *this += 1; }
        Iterator &operator--() { return *this -= 1; }
        Iterator operator++(int)
        {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        Iterator operator--(int)
        {
            const Iterator before = *this;
            --*this;
            return before;
        }
        friend Iterator operator+(Iterator it, difference_type by) { return it += by; }
        friend Iterator operator+(difference_type by, Iterator it) { return it += by; }
        friend Iterator operator-(Iterator it, difference_type by) { return it -= by; }
        friend difference_type operator-(const Iterator &left, const Iterator &right) { return left.m_at - right.m_at; }
        bool operator==(const Iterator &other) const { return m_at == other.m_at; }
        auto operator<=>(const Iterator &other) const { return m_at <=> other.m_at; }

    private:
        friend class RowList;
        Iterator(const RowList *list, size_t at) : m_list(list), m_at(difference_type(at)) {}
        const RowList *m_list = nullptr;
        difference_type m_at = 0;
    };

    size_t size() const { return m_all + m_listed; }
    bool empty() const { return size() == 0; }
    quint32 operator[](size_t at) const;
    quint32 back() const { return (*this)[size() - 1]; }
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size()}; }
    size_t listedCount() const { return m_listed; }  // of those that take memory

    void clear();
    void insert(size_t at, const std::vector<quint32> &rows);
    void erase(size_t at, size_t count);

private:
    struct Chunk {
        PackedBlock rows;
        size_t first = 0;  // of the listed ones
    };
    size_t chunkOf(size_t at) const;
    void replace(size_t at, size_t count, std::span<const quint32> rows);
    void listFrom(size_t at);
    void putChunks(size_t from, size_t to, std::span<const quint32> rows, size_t first, size_t maxSize);

    size_t m_all = 0;  // rows from 0 on, each in the place of its number
    size_t m_listed = 0;
    std::vector<Chunk> m_chunks;
};

}  // namespace sonde::ui
