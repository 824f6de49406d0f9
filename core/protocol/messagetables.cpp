// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/messagetables.h"

namespace sonde::check {

// Spec: the schema of each revision. Stricter only where its text is: the resultType tells which result it is
// (2026-07-28, "Multi Round-Trip Requests"). More lenient where the schema says integer for any number, and at the end,
// where the methods stand: nobody can work with what breaks that (see shapeFindings()).
const char *const Shapes = R"(
Initialize: _meta? RequestMeta@4; protocolVersion string; capabilities ClientCapabilities; clientInfo Implementation
InitializeResult: _meta? object; protocolVersion string; capabilities ServerCapabilities; serverInfo Implementation; instructions? string
DiscoverResult: _meta? ResultMeta; resultType string; supportedVersions list<string>; capabilities ServerCapabilities; instructions? string; ttlMs integer[0..]; cacheScope CacheScope
Implementation: name string; version string; title? string@345; description? string@45; websiteUrl? string@45; icons? list<Icon>@45
Icon: src string; mimeType? string; sizes? list<string>; theme? 'light'|'dark'

ClientCapabilities: experimental? map<object>; extensions? map<object>@5; roots? RootsCapability; sampling? SamplingCapability; elicitation? ElicitationCapability@345; tasks? ClientTasksCapability@4
RootsCapability: listChanged? boolean@1234
SamplingCapability: context? object@45; tools? object@45
ElicitationCapability: form? object@45; url? object@45
ClientTasksCapability: list? object; cancel? object; requests? ClientTaskRequests
ClientTaskRequests: sampling? SamplingTasks; elicitation? ElicitationTasks
SamplingTasks: createMessage? object
ElicitationTasks: create? object
ServerCapabilities: experimental? map<object>; extensions? map<object>@5; logging? object; completions? object@2345; prompts? ListCapability; resources? ResourcesCapability; tools? ListCapability; tasks? ServerTasksCapability@4
ListCapability: listChanged? boolean
ResourcesCapability: listChanged? boolean; subscribe? boolean
ServerTasksCapability: list? object; cancel? object; requests? ServerTaskRequests
ServerTaskRequests: tools? ToolTasks
ToolTasks: call? object

RequestMeta: progressToken? id; io.modelcontextprotocol/protocolVersion string@5; io.modelcontextprotocol/clientCapabilities ClientCapabilities@5; io.modelcontextprotocol/clientInfo? Implementation@5; io.modelcontextprotocol/logLevel? LoggingLevel@5
NotificationMeta: io.modelcontextprotocol/subscriptionId? id@5
ResultMeta: io.modelcontextprotocol/serverInfo? Implementation@5
OnlyMeta: _meta? RequestMeta@1234; _meta RequestMeta@5
OnlyNotificationMeta: _meta? NotificationMeta
Page: _meta? RequestMeta@4; _meta RequestMeta@5; cursor? string
Result: _meta? object
CacheScope = 'public'|'private'

ListTools: _meta? ResultMeta; resultType string@5; tools list<Tool>; nextCursor? string; ttlMs integer[0..]@5; cacheScope CacheScope@5
ListResources: _meta? ResultMeta; resultType string@5; resources list<Resource>; nextCursor? string; ttlMs integer[0..]@5; cacheScope CacheScope@5
ListResourceTemplates: _meta? ResultMeta; resultType string@5; resourceTemplates list<ResourceTemplate>; nextCursor? string; ttlMs integer[0..]@5; cacheScope CacheScope@5
ListPrompts: _meta? ResultMeta; resultType string@5; prompts list<Prompt>; nextCursor? string; ttlMs integer[0..]@5; cacheScope CacheScope@5

Tool: name string; title? string@345; description? string; inputSchema InputSchema; outputSchema? OutputSchema@345; annotations? ToolAnnotations@2345; execution? ToolExecution@4; icons? list<Icon>@45; _meta? object@345
InputSchema: type 'object'; properties? map<object>@1234; required? list<string>@1234; $schema? string@45
OutputSchema: type 'object'@34; properties? map<object>@34; required? list<string>@34; $schema? string@45
ToolAnnotations: title? string; readOnlyHint? boolean; destructiveHint? boolean; idempotentHint? boolean; openWorldHint? boolean
ToolExecution: taskSupport? 'forbidden'|'optional'|'required'
CallTool: _meta? RequestMeta@4; _meta RequestMeta@5; name string; arguments? object; task? TaskParams@4; inputResponses? map<InputResponse>@5; requestState? string@5
ToolResult: _meta? ResultMeta; resultType string@5; content list<TextContent|ImageContent|EmbeddedResource>@1; content list<TextContent|ImageContent|AudioContent|EmbeddedResource>@2; content list<ContentBlock>@345; isError? boolean; structuredContent? object@34

Annotations: audience? list<Role>; priority? number[0..1]; lastModified? string@345
Role = 'user'|'assistant'
TextContent: type 'text'; text string; annotations? Annotations; _meta? object@345
ImageContent: type 'image'; data string; mimeType string; annotations? Annotations; _meta? object@345
AudioContent: type 'audio'; data string; mimeType string; annotations? Annotations; _meta? object@345
EmbeddedResource: type 'resource'; resource TextResource|BlobResource; annotations? Annotations; _meta? object@345
ResourceLink: type 'resource_link'; uri string; name string; title? string; description? string; mimeType? string; size? integer; annotations? Annotations; icons? list<Icon>@45; _meta? object
ContentBlock = TextContent|ImageContent|AudioContent|ResourceLink|EmbeddedResource
TextResource: uri string; text string; mimeType? string; _meta? object@345
BlobResource: uri string; blob string; mimeType? string; _meta? object@345

Resource: uri string; name string; title? string@345; description? string; mimeType? string; size? integer; annotations? Annotations; icons? list<Icon>@45; _meta? object@345
ResourceTemplate: uriTemplate string; name string; title? string@345; description? string; mimeType? string; annotations? Annotations; icons? list<Icon>@45; _meta? object@345
ByUri: _meta? RequestMeta@4; _meta RequestMeta@5; uri string
ReadResource: _meta? RequestMeta@4; _meta RequestMeta@5; uri string; inputResponses? map<InputResponse>@5; requestState? string@5
ReadResult: _meta? ResultMeta; resultType string@5; contents list<TextResource|BlobResource>; ttlMs integer[0..]@5; cacheScope CacheScope@5
ResourceUpdated: _meta? NotificationMeta@45; uri string

Prompt: name string; title? string@345; description? string; arguments? list<PromptArgument>; icons? list<Icon>@45; _meta? object@345
PromptArgument: name string; title? string@345; description? string; required? boolean
GetPrompt: _meta? RequestMeta@4; _meta RequestMeta@5; name string; arguments? map<string>; inputResponses? map<InputResponse>@5; requestState? string@5
PromptResult: _meta? ResultMeta; resultType string@5; description? string; messages list<PromptMessage>
PromptMessage: role Role; content TextContent|ImageContent|EmbeddedResource@1; content TextContent|ImageContent|AudioContent|EmbeddedResource@2; content ContentBlock@345

Complete: _meta? RequestMeta@4; _meta RequestMeta@5; ref PromptReference|ResourceReference; argument CompletedArgument; context? CompletionContext@345
PromptReference: type 'ref/prompt'; name string; title? string@345
ResourceReference: type 'ref/resource'; uri string
CompletedArgument: name string; value string
CompletionContext: arguments? map<string>
CompleteResult: _meta? ResultMeta; resultType string@5; completion Completion
Completion: values list<string>@1234; values list<string>100@5; total? integer; hasMore? boolean

SetLevel: _meta? RequestMeta@4; level LoggingLevel
LoggingLevel = 'debug'|'info'|'notice'|'warning'|'error'|'critical'|'alert'|'emergency'
LogMessage: _meta? NotificationMeta@45; level LoggingLevel; logger? string; data any
Progress: _meta? NotificationMeta@45; progressToken id; progress number; total? number; message? string@2345
Cancelled: _meta? NotificationMeta@45; requestId id@1235; requestId? id@4; reason? string

CreateMessage: _meta? RequestMeta@4; messages list<SamplingMessage>; maxTokens integer; systemPrompt? string; includeContext? 'none'|'thisServer'|'allServers'; temperature? number; stopSequences? list<string>; modelPreferences? ModelPreferences; metadata? object; tools? list<Tool>@45; toolChoice? ToolChoice@45; task? TaskParams@4
SamplingMessage: role Role; content TextContent|ImageContent@1; content TextContent|ImageContent|AudioContent@23; content SamplingBlock|list<SamplingBlock>@45; _meta? object@45
SamplingBlock = TextContent|ImageContent|AudioContent|ToolUse|ToolOutput
ToolUse: type 'tool_use'; id string; name string; input object; _meta? object
ToolOutput: type 'tool_result'; toolUseId string; content list<ContentBlock>; isError? boolean; structuredContent? object@4; _meta? object
ToolChoice: mode? 'auto'|'required'|'none'
ModelPreferences: hints? list<ModelHint>; costPriority? number[0..1]; speedPriority? number[0..1]; intelligencePriority? number[0..1]
ModelHint: name? string
SamplingResult: _meta? object; role Role; model string; content TextContent|ImageContent@1; content TextContent|ImageContent|AudioContent@23; content SamplingBlock|list<SamplingBlock>@45; stopReason? string

RootsResult: _meta? object@1234; roots list<Root>
Root: uri string; name? string; _meta? object@345

Elicit = FormElicitation@3
Elicit = UrlElicitation|FormElicitation@45
FormElicitation: _meta? RequestMeta@4; mode? 'form'@45; message string; requestedSchema FormSchema; task? TaskParams@4
UrlElicitation: _meta? RequestMeta@4; mode 'url'; message string; url string; elicitationId string@4; task? TaskParams@4
FormSchema: type 'object'; properties map<FormField>; required? list<string>; $schema? string@45
FormField = TextField|NumberField|BooleanField|ChoiceField@3
FormField = TextField|NumberField|BooleanField|ChoiceField|TitledChoiceField|ChoicesField|TitledChoicesField@45
TextField: type 'string'; title? string; description? string; minLength? integer; maxLength? integer; format? 'email'|'uri'|'date'|'date-time'; default? string@45
NumberField: type 'number'|'integer'; title? string; description? string; minimum? number; maximum? number; default? number@45
BooleanField: type 'boolean'; title? string; description? string; default? boolean
ChoiceField: type 'string'; enum list<string>; enumNames? list<string>; title? string; description? string; default? string@45
TitledChoiceField: type 'string'; oneOf list<TitledChoice>; title? string; description? string; default? string
TitledChoice: const string; title string
ChoicesField: type 'array'; items ChoicesItems; minItems? integer; maxItems? integer; title? string; description? string; default? list<string>
ChoicesItems: type 'string'; enum list<string>
TitledChoicesField: type 'array'; items TitledChoicesItems; minItems? integer; maxItems? integer; title? string; description? string; default? list<string>
TitledChoicesItems: anyOf list<TitledChoice>
ElicitResult: _meta? object@34; action 'accept'|'decline'|'cancel'; content? map<string|number|boolean>@3; content? map<string|number|boolean|list<string>>@45
ElicitationComplete: elicitationId string

TaskParams: ttl? integer
TaskStarted: _meta? object; task Task
Task: taskId string; status TaskStatus; statusMessage? string; createdAt string; lastUpdatedAt string; ttl integer|null; pollInterval? integer
TaskStatus = 'working'|'input_required'|'completed'|'failed'|'cancelled'
ByTask: taskId string
TaskState: _meta? object; taskId string; status TaskStatus; statusMessage? string; createdAt string; lastUpdatedAt string; ttl integer|null; pollInterval? integer
TaskList: _meta? object; tasks list<Task>; nextCursor? string

InputRequired: _meta? ResultMeta; resultType 'input_required'; inputRequests? map<InputRequest>; requestState? string
InputRequest = SamplingInput|RootsInput|ElicitationInput
SamplingInput: method 'sampling/createMessage'; params CreateMessage
RootsInput: method 'roots/list'; params? Result
ElicitationInput: method 'elicitation/create'; params Elicit
InputResponse = SamplingResult|RootsResult|ElicitResult
OfExtension: resultType 'task'
Listen: _meta RequestMeta; notifications SubscriptionFilter
SubscriptionFilter: toolsListChanged? boolean; promptsListChanged? boolean; resourcesListChanged? boolean; resourceSubscriptions? list<string>
ListenResult: _meta ListenMeta; resultType string
ListenMeta: io.modelcontextprotocol/subscriptionId id; io.modelcontextprotocol/serverInfo? Implementation
ListenAcknowledged: _meta? NotificationMeta; notifications SubscriptionFilter

RequiredUrls: elicitations list<UrlElicitation>
MissingCapability: requiredCapabilities ClientCapabilities
UnsupportedRevision: requested string; supported list<string>

elicitation/create = AskedForm|AskedUrl
AskedForm: mode? 'form'; message string; requestedSchema AskedSchema
AskedSchema: type 'object'; properties map<object>
AskedUrl: mode 'url'; message string; url text; elicitationId text@4
sampling/createMessage: messages list<AskedMessage>; maxTokens number
AskedMessage: role Role; content AnyContent|list<AnyContent>
AnyContent: type string
roots/list = object|null
AnySamplingResult: role Role; model string; content AnyContent|list<AnyContent>

initialize: capabilities object; serverInfo object
server/discover: capabilities object
tools/list: tools list<any>
tools/call: content list<any>; structuredContent? object@34
resources/list: resources list<any>
resources/templates/list: resourceTemplates list<any>
resources/read: contents list<any>
prompts/list: prompts list<any>
prompts/get: messages list<any>
GrantedFilter: toolsListChanged? boolean; promptsListChanged? boolean; resourcesListChanged? boolean; resourceSubscriptions? list<string>; taskIds? list<string>

ListedTool: name text; title? string; description? string; inputSchema TypedObject; outputSchema? object|boolean; annotations? ToolAnnotations; execution? ToolExecution
TypedObject: type 'object'
ListedResource: name text; title? string; description? string; uri string; mimeType? string; size? integer[0..]
ListedTemplate: name text; title? string; description? string; uriTemplate string; mimeType? string
ListedPrompt: name text; title? string; description? string; arguments? list<PromptArgument>
AnyText: text string
AnyMedia: data string; mimeType string
AnyLink: uri string; name string; description? string; mimeType? string
AnyEmbedded: resource AnyResource
AnyResource: uri string; mimeType? string; text? string; blob? string
)";

// The tasks of 2026-07-28 are an extension, whose messages are read where they are handled.
const char *const Methods = R"(
> initialize Initialize InitializeResult @1234
> notifications/initialized OnlyNotificationMeta? - @1234
> server/discover OnlyMeta DiscoverResult @5
= ping OnlyMeta? Result @1234
= notifications/cancelled Cancelled -
= notifications/progress Progress - @1234
< notifications/progress Progress - @5
< notifications/message LogMessage -
> logging/setLevel SetLevel Result @1234
> tools/list Page? ListTools @1234
> tools/list Page ListTools @5
> tools/call CallTool ToolResult @123
> tools/call CallTool ToolResult|TaskStarted @4
> tools/call CallTool InputRequired|OfExtension|ToolResult @5
< notifications/tools/list_changed OnlyNotificationMeta? -
> resources/list Page? ListResources @1234
> resources/list Page ListResources @5
> resources/templates/list Page? ListResourceTemplates @1234
> resources/templates/list Page ListResourceTemplates @5
> resources/read ReadResource ReadResult @1234
> resources/read ReadResource InputRequired|OfExtension|ReadResult @5
> resources/subscribe ByUri Result @1234
> resources/unsubscribe ByUri Result @1234
< notifications/resources/list_changed OnlyNotificationMeta? -
< notifications/resources/updated ResourceUpdated -
> prompts/list Page? ListPrompts @1234
> prompts/list Page ListPrompts @5
> prompts/get GetPrompt PromptResult @1234
> prompts/get GetPrompt InputRequired|OfExtension|PromptResult @5
< notifications/prompts/list_changed OnlyNotificationMeta? -
> completion/complete Complete CompleteResult
> subscriptions/listen Listen ListenResult @5
< notifications/subscriptions/acknowledged ListenAcknowledged - @5
< sampling/createMessage CreateMessage SamplingResult @123
< sampling/createMessage CreateMessage SamplingResult|TaskStarted @4
< roots/list OnlyMeta? RootsResult @1234
> notifications/roots/list_changed OnlyNotificationMeta? - @1234
< elicitation/create Elicit ElicitResult @3
< elicitation/create Elicit ElicitResult|TaskStarted @4
< notifications/elicitation/complete ElicitationComplete - @4
= tasks/get ByTask TaskState @4
= tasks/result ByTask Result @4
= tasks/cancel ByTask TaskState @4
= tasks/list Page? TaskList @4
= notifications/tasks/status TaskState - @4
> tasks/get any? any @5
> tasks/update any? any @5
> tasks/cancel any? any @5
< notifications/tasks any? - @5
)";

const char *const Errors = R"(
-32042 RequiredUrls @4
-32021 MissingCapability @5
-32022 UnsupportedRevision @5
)";

}  // namespace sonde::check
