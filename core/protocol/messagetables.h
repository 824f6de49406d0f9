// What the messages of each revision look like, as text that people can read and messagerules.cpp compiles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sonde::check {

// One line each. "Name: member type; member? type" is an object, of which members without "?" are required and others
// than these are allowed. "Name = type" is another name of a type.
//
// A type is string, text (a string that is not empty), number, integer, boolean, null, object, any, id (string or
// integer), 'text' (that very string), list<type> (list<type>100: at most so many), map<type> (an object whose members
// are all of the type), a shape by its name, or several of these with "|" between them. number[0..1] is within these
// bounds, either of which may be missing.
//
// "@" and digits after a member or a type's line: only in these revisions. 1 is 2024-11-05, 2 2025-03-26, 3 2025-06-18,
// 4 2025-11-25 and 5 2026-07-28.
extern const char *const Shapes;

// "direction method params result": > is sent by clients, < by servers, = by both. "?" after params: they may be
// missing. "-" for the result: a notification. "@" as above.
extern const char *const Methods;

// "code data": what error.data has to be. "@" as above.
extern const char *const Errors;

}  // namespace sonde::check
