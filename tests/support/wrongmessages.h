// The mark of a test that sends what breaks the protocol on purpose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace sonde::test {

// What is sent while one of these lives, also by programs that are started meanwhile, is only counted by
// tests/peers/checkmessages.mjs. why: a few words.
class WrongMessages {
public:
    explicit WrongMessages(const char *why) { qputenv(Variable, why); }
    ~WrongMessages() { qunsetenv(Variable); }
    WrongMessages(const WrongMessages &) = delete;
    WrongMessages &operator=(const WrongMessages &) = delete;

private:
    static constexpr const char *Variable = "SONDE_SENDS_WRONG_MESSAGES";
};

}  // namespace sonde::test
