// What a ShapeReader has read so far; part of its implementation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/shape.h"

#include <algorithm>

namespace sonde::ui {

// The member whose constant tells the branches of a union apart.
struct ShapeReader::Discriminator {
    QString name;             // empty: there is none
    json::ValueIndex values;  // of each branch
};

struct ShapeReader::State {
    struct Key {
        QList<json::Value> layers;
        QString onlyType;
        int depth = 0;

        bool operator==(const Key &other) const
        {
            const auto isSame = [](const json::Value &left, const json::Value &right) {
                return left.isSameNode(right);
            };
            return depth == other.depth && onlyType == other.onlyType && layers.size() == other.layers.size() &&
                   std::equal(layers.begin(), layers.end(), other.layers.begin(), isSame);
        }
        friend size_t qHash(const Key &key, size_t seed = 0)
        {
            for (const json::Value &layer : key.layers)
                seed = qHashMulti(seed, quintptr(layer.slice().data()));
            return qHashMulti(seed, key.onlyType, key.depth);
        }
    };

    schema::Schema schema;
    schema::Budget budget;
    bool isTooLarge = false;  // the place that is being read, whatever is left of the budget
    QHash<Key, Shape> shapes;
    QHash<Key, QByteArray> initials;
    QHash<Key, Discriminator> discriminators;
    // Telling which branch a value means is asked at every key: each time out of a small budget, which gets smaller
    // when it was spent.
    schema::Budget guesses;
    qint64 guessLimit = 40'000;
    int passes = 0;
};

// What is guessed while it exists comes out of one budget.
class ShapeReader::Pass {
public:
    explicit Pass(State *state) : m_state(state)
    {
        if (m_state->passes++ == 0)
            m_state->guesses = schema::Budget(m_state->guessLimit);
    }
    ~Pass()
    {
        constexpr qint64 least = 2'000;
        if (--m_state->passes == 0 && m_state->guesses.isSpent())
            m_state->guessLimit = qMax(least, m_state->guessLimit / 2);
    }
    Q_DISABLE_COPY_MOVE(Pass)

private:
    State *m_state;
};

}  // namespace sonde::ui
