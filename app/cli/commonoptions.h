// Options of every verb that talks to servers, and checks that several verbs need.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "app/common/optiontable.h"

#include <chrono>
#include <optional>

namespace sonde {
struct ConnectionOptions;
struct ServerTimeouts;
}  // namespace sonde

namespace sonde::cli {

struct CommonOptions {
    explicit CommonOptions(OutputOptions &output_) : output(output_) {}

    std::optional<std::chrono::milliseconds> timeout;  // of each response
    bool isYes = false;                                // to what sonde-cli would ask
    OutputOptions &output;

    // own: those in the description of the server; --timeout takes precedence.
    void setTimeouts(ConnectionOptions *options, const ServerTimeouts &own) const;

    // The rows, for a section of the table.
    QList<app::Option> rows();
    app::Option strictRow();  // of the verbs that take it
    static QString title();
    static QString topic();                    // of the help that explains all of them
    static constexpr qsizetype Explained = 4;  // rows in the help of each verb
};

// Why a file cannot be written there: its folder does not exist. Empty: it does, or there is no path.
QString problemOfFolderOf(const QString &path);

}  // namespace sonde::cli
