<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>sonde::AbstractHttpTransport</name>
    <message>
        <source>Cancelled while waiting for the handshake.</source>
        <translation>在等待握手时取消。</translation>
    </message>
    <message>
        <source>Cancelled while waiting for credentials.</source>
        <translation>在等待凭据时取消。</translation>
    </message>
    <message>
        <source>The connection was closed before the message could be sent.</source>
        <translation>消息发送之前连接已关闭。</translation>
    </message>
    <message>
        <source>The connection was closed while waiting for credentials.</source>
        <translation>在等待凭据时连接已关闭。</translation>
    </message>
</context>
<context>
    <name>sonde::AddressExamination</name>
    <message>
        <source>certificate of %1, issued by %2, valid from %3 to %4</source>
        <translation>%1 的证书，由 %2 颁发，有效期 %3 至 %4</translation>
    </message>
    <message>
        <source>not used: http</source>
        <translation>未使用：http</translation>
    </message>
    <message>
        <source>asking the system for its proxy…</source>
        <translation>正在向系统查询代理…</translation>
    </message>
    <message>
        <source>resolved by the proxy %1</source>
        <translation>由代理 %1 解析</translation>
    </message>
    <message>
        <source>an address, not a name</source>
        <translation>是地址，而不是名称</translation>
    </message>
    <message>
        <source>looking up %1…</source>
        <translation>正在查找 %1…</translation>
    </message>
    <message>
        <source>%1 is not known: %2</source>
        <translation>%1 未知：%2</translation>
    </message>
    <message>
        <source>connecting to port %1…</source>
        <translation>正在连接到端口 %1…</translation>
    </message>
    <message>
        <source>connecting through the proxy %1…</source>
        <translation>正在通过代理 %1 连接…</translation>
    </message>
    <message>
        <source>port %1 accepts connections</source>
        <translation>端口 %1 接受连接</translation>
    </message>
    <message>
        <source>the proxy %1 accepts connections</source>
        <translation>代理 %1 接受连接</translation>
    </message>
    <message>
        <source>connected through the proxy %1</source>
        <translation>已通过代理 %1 连接</translation>
    </message>
    <message>
        <source>waiting for the certificate…</source>
        <translation>正在等待证书…</translation>
    </message>
    <message>
        <source>%1, accepted by its fingerprint</source>
        <translation>%1，按其指纹接受</translation>
    </message>
    <message>
        <source>timed out after %1 s</source>
        <translation>%1 秒后超时</translation>
    </message>
    <message>
        <source>the server does not speak TLS on this port</source>
        <translation>服务器在此端口上不使用 TLS</translation>
    </message>
    <message>
        <source>the server does not complete a TLS handshake: %1</source>
        <translation>服务器没有完成 TLS 握手：%1</translation>
    </message>
    <message>
        <source>If it is meant to be reached without encryption, begin the URL with http://.</source>
        <translation>如果应以不加密方式访问它，请以 http:// 作为 URL 的开头。</translation>
    </message>
    <message>
        <source>the server expects TLS on this port</source>
        <translation>服务器在此端口上要求 TLS</translation>
    </message>
    <message>
        <source>Begin the URL with https://.</source>
        <translation>请以 https:// 作为 URL 的开头。</translation>
    </message>
    <message>
        <source>the server refuses the Authorization header of this server</source>
        <translation>服务器拒绝此服务器的 Authorization 标头</translation>
    </message>
    <message>
        <source>the server refuses access</source>
        <translation>服务器拒绝访问</translation>
    </message>
    <message>
        <source>the server requires authentication</source>
        <translation>服务器需要身份验证</translation>
    </message>
    <message>
        <source>It may require authentication, or accept requests only under certain host names.</source>
        <translation>它可能需要身份验证，或只接受使用特定主机名的请求。</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>not required</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>the response is a web page, not an MCP message</source>
        <translation>响应是网页，而不是 MCP 消息</translation>
    </message>
    <message>
        <source>Check the path of the URL; many servers use /mcp.</source>
        <translation>请检查 URL 的路径；许多服务器使用 /mcp。</translation>
    </message>
</context>
<context>
    <name>sonde::Authorization</name>
    <message>
        <source>The protected resource metadata is not a JSON object.</source>
        <translation>受保护资源元数据不是 JSON 对象。</translation>
    </message>
    <message>
        <source>The protected resource metadata at %1 is for %2, not for %3.</source>
        <translation>%1 处的受保护资源元数据属于 %2，而不是 %3。</translation>
    </message>
    <message>
        <source>The protected resource metadata names no authorization server.</source>
        <translation>受保护资源元数据没有指明授权服务器。</translation>
    </message>
    <message>
        <source>The authorization server metadata is not a JSON object.</source>
        <translation>授权服务器元数据不是 JSON 对象。</translation>
    </message>
    <message>
        <source>The authorization server identifies itself as %1, not as %2.</source>
        <translation>授权服务器将自己标识为 %1，而不是 %2。</translation>
    </message>
    <message>
        <source>The authorization server&apos;s %1 is neither https nor on this computer: %2</source>
        <translation>授权服务器的 %1 既不是 https，也不在此计算机上：%2</translation>
    </message>
    <message>
        <source>The authorization server has no token endpoint.</source>
        <translation>授权服务器没有令牌端点。</translation>
    </message>
    <message>
        <source>Check that the server is running.</source>
        <translation>请检查服务器是否正在运行。</translation>
    </message>
    <message>
        <source>Check that the identity provider is running.</source>
        <translation>请检查身份提供方是否正在运行。</translation>
    </message>
    <message>
        <source>Check that the authorization server is running.</source>
        <translation>请检查授权服务器是否正在运行。</translation>
    </message>
    <message>
        <source>Its operator has to serve the document at the first address itself.</source>
        <translation>其运营方必须自行在第一个地址提供该文档。</translation>
    </message>
    <message>
        <source>Its operator has to publish the right address in the metadata.</source>
        <translation>其运营方必须在元数据中发布正确的地址。</translation>
    </message>
    <message>
        <source>The server&apos;s metadata endpoint (%1)</source>
        <translation>服务器的元数据端点（%1）</translation>
    </message>
    <message>
        <source>The authorization server&apos;s metadata endpoint (%1)</source>
        <translation>授权服务器的元数据端点（%1）</translation>
    </message>
    <message>
        <source>The authorization server&apos;s registration endpoint (%1)</source>
        <translation>授权服务器的注册端点（%1）</translation>
    </message>
    <message>
        <source>The authorization server&apos;s token endpoint (%1)</source>
        <translation>授权服务器的令牌端点（%1）</translation>
    </message>
    <message>
        <source>The identity provider&apos;s token endpoint (%1)</source>
        <translation>身份提供方的令牌端点（%1）</translation>
    </message>
    <message>
        <source>The authorization server&apos;s revocation endpoint (%1)</source>
        <translation>授权服务器的吊销端点（%1）</translation>
    </message>
    <message>
        <source>%1 redirects (HTTP %2) to %3, which Sonde does not follow in a sign-in.</source>
        <translation>%1重定向（HTTP %2）到 %3，Sonde 在登录中不会跟随这种重定向。</translation>
    </message>
    <message>
        <source>%1 did not respond within %2 s.</source>
        <translation>%1 在 %2 秒内没有响应。</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>请稍后重试。</translation>
    </message>
    <message>
        <source>%1 refused the connection: nothing is listening there.</source>
        <translation>%1拒绝了连接：那里没有任何程序在侦听。</translation>
    </message>
    <message>
        <source>%1 could not be used. %2</source>
        <translation>%1无法使用。%2</translation>
    </message>
    <message>
        <source>%1 refused the request: %2</source>
        <translation>%1拒绝了请求：%2</translation>
    </message>
    <message>
        <source>%1 returned HTTP %2.</source>
        <translation>%1返回了 HTTP %2。</translation>
    </message>
    <message>
        <source>%1 returned no %2.</source>
        <translation>%1没有返回 %2。</translation>
    </message>
    <message>
        <source>%1 returned a body that is not a JSON object.</source>
        <translation>%1返回的正文不是 JSON 对象。</translation>
    </message>
    <message>
        <source>%1 returned %2 instead of JSON.</source>
        <translation>%1返回的是 %2，而不是 JSON。</translation>
    </message>
    <message>
        <source>This is a web page: possibly a login page, or the wrong address.</source>
        <translation>这是一个网页：可能是登录页，也可能地址有误。</translation>
    </message>
    <message>
        <source>OAuth requires JSON there (RFC 6749, section 5.1).</source>
        <translation>OAuth 在该处要求 JSON（RFC 6749 第 5.1 节）。</translation>
    </message>
    <message>
        <source>The redirect URL must be an http URL of this computer with a port, such as http://127.0.0.1:8080/callback.</source>
        <translation>重定向 URL 必须是此计算机上带端口的 http URL，例如 http://127.0.0.1:8080/callback。</translation>
    </message>
    <message>
        <source>The client metadata URL must be https and have a path.</source>
        <translation>客户端元数据 URL 必须是 https 且带有路径。</translation>
    </message>
    <message>
        <source>The issuer must be an https URL.</source>
        <translation>颁发者必须是 https URL。</translation>
    </message>
    <message>
        <source>Enter the client ID that the client secret belongs to.</source>
        <translation>请输入客户端机密所属的客户端 ID。</translation>
    </message>
    <message>
        <source>Enter the client ID.</source>
        <translation>请输入客户端 ID。</translation>
    </message>
    <message>
        <source>Enter a client secret or a private key.</source>
        <translation>请输入客户端机密或私钥。</translation>
    </message>
    <message>
        <source>Enter the issuer. The credentials are sent nowhere else.</source>
        <translation>请输入颁发者。凭据不会发送到其他任何地方。</translation>
    </message>
    <message>
        <source>Enter the token URL of the identity provider, which must be https.</source>
        <translation>请输入身份提供方的令牌 URL，它必须是 https。</translation>
    </message>
    <message>
        <source>Enter the ID token.</source>
        <translation>请输入 ID 令牌。</translation>
    </message>
    <message>
        <source>Enter the token of the workload.</source>
        <translation>请输入工作负载的令牌。</translation>
    </message>
    <message>
        <source>Enter the issuer. The token is sent nowhere else.</source>
        <translation>请输入颁发者。令牌不会发送到其他任何地方。</translation>
    </message>
    <message>
        <source>The private key is not PEM.</source>
        <translation>私钥不是 PEM。</translation>
    </message>
    <message>
        <source>It must begin with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----, without a passphrase.</source>
        <translation>它必须以 -----BEGIN PRIVATE KEY----- 开头，以 -----END PRIVATE KEY----- 结尾，且不带密码短语。</translation>
    </message>
    <message>
        <source>Enter the private key that belongs to it.</source>
        <translation>请输入属于它的私钥。</translation>
    </message>
    <message>
        <source>This is a public key.</source>
        <translation>这是公钥。</translation>
    </message>
    <message>
        <source>This is a certificate.</source>
        <translation>这是证书。</translation>
    </message>
    <message>
        <source>The private key has a passphrase.</source>
        <translation>私钥设有密码短语。</translation>
    </message>
    <message>
        <source>Enter it without one, as “openssl pkey -in KEY” prints it.</source>
        <translation>请输入不带密码短语的私钥，即“openssl pkey -in KEY”输出的形式。</translation>
    </message>
    <message>
        <source>The private key cannot be read.</source>
        <translation>无法读取私钥。</translation>
    </message>
    <message>
        <source>It must be PEM, without a passphrase.</source>
        <translation>它必须是 PEM，且不带密码短语。</translation>
    </message>
    <message>
        <source>No key could be generated.</source>
        <translation>无法生成密钥。</translation>
    </message>
    <message>
        <source>The private key cannot be used with %1.</source>
        <translation>私钥无法用于 %1。</translation>
    </message>
    <message>
        <source>ES256 needs an EC key on P-256, RS256 an RSA key.</source>
        <translation>ES256 需要 P-256 上的 EC 密钥，RS256 需要 RSA 密钥。</translation>
    </message>
    <message>
        <source>The token could not be signed.</source>
        <translation>无法对令牌签名。</translation>
    </message>
</context>
<context>
    <name>sonde::AuthorizedRequest</name>
    <message>
        <source>There were no credentials in time.</source>
        <translation>没有及时获得凭据。</translation>
    </message>
</context>
<context>
    <name>sonde::Baseline</name>
    <message>
        <source>%1 is still being recorded.</source>
        <translation>%1 仍在录制中。</translation>
    </message>
    <message>
        <source>Disconnect that server first.</source>
        <translation>请先断开该服务器的连接。</translation>
    </message>
    <message>
        <source>The previous session cannot be renamed to %1: %2</source>
        <translation>无法将先前的会话重命名为 %1：%2</translation>
    </message>
    <message>
        <source>%1 cannot be replaced: %2</source>
        <translation>无法替换 %1：%2</translation>
    </message>
</context>
<context>
    <name>sonde::BriefRun</name>
    <message>
        <source>“%1” took longer than %2 s.</source>
        <translation>“%1”耗时超过 %2 秒。</translation>
    </message>
    <message>
        <source>“%1” was terminated by %2.</source>
        <translation>“%1”被 %2 终止。</translation>
    </message>
</context>
<context>
    <name>sonde::CallSender</name>
    <message>
        <source>There is no keychain to read %1 from.</source>
        <translation>没有可供读取 %1 的密钥链。</translation>
    </message>
    <message>
        <source>The environment variable %1 is not set.</source>
        <translation>环境变量 %1 未设置。</translation>
    </message>
    <message>
        <source>%1 needs the result of the saved call &apos;%2&apos;, which was not run before this one.</source>
        <translation>%1 需要已保存的调用 &apos;%2&apos; 的结果，而该调用没有在此调用之前运行。</translation>
    </message>
    <message>
        <source>Run both together, &apos;%1&apos; first.</source>
        <translation>请将两者一起运行，&apos;%1&apos; 在前。</translation>
    </message>
    <message>
        <source>%1 has no value: the saved call &apos;%2&apos; returned no result.</source>
        <translation>%1 没有值：已保存的调用 &apos;%2&apos; 没有返回结果。</translation>
    </message>
    <message>
        <source>%1 has no value: the result of the saved call &apos;%2&apos; has no %3.</source>
        <translation>%1 没有值：已保存的调用 &apos;%2&apos; 的结果没有 %3。</translation>
    </message>
    <message>
        <source>The members of the result are %1.</source>
        <translation>结果的成员为 %1。</translation>
    </message>
</context>
<context>
    <name>sonde::CallSuite</name>
    <message>
        <source>Cancelled by you</source>
        <translation>已被您取消</translation>
    </message>
    <message>
        <source>Not run: %1</source>
        <translation>未运行：%1</translation>
    </message>
</context>
<context>
    <name>sonde::CallbackReceiver</name>
    <message>
        <source>The redirect address %1 is not on this computer.</source>
        <translation>重定向地址 %1 不在此计算机上。</translation>
    </message>
    <message>
        <source>Use http://127.0.0.1 or http://localhost with a port.</source>
        <translation>请使用 http://127.0.0.1 或带端口的 http://localhost。</translation>
    </message>
    <message>
        <source>Port %1 of this computer cannot receive the browser&apos;s redirect: %2.</source>
        <translation>此计算机的端口 %1 无法接收浏览器的重定向：%2。</translation>
    </message>
    <message>
        <source>Choose another port, or quit the program that uses it.</source>
        <translation>请选择其他端口，或退出使用该端口的程序。</translation>
    </message>
    <message>
        <source>The request is too long.</source>
        <translation>请求过长。</translation>
    </message>
    <message>
        <source>The sign-in has ended.</source>
        <translation>登录已结束。</translation>
    </message>
    <message>
        <source>Nothing here.</source>
        <translation>此处没有内容。</translation>
    </message>
    <message>
        <source>This response belongs to another sign-in.</source>
        <translation>此响应属于另一次登录。</translation>
    </message>
    <message>
        <source>Sonde has received the response. You can close this page.</source>
        <translation>Sonde 已收到响应。您可以关闭此页面。</translation>
    </message>
</context>
<context>
    <name>sonde::Catalog</name>
    <message>
        <source>The %1 &apos;%2&apos; occurs more than once.</source>
        <translation>%1 &apos;%2&apos; 出现多次。</translation>
    </message>
    <message>
        <source>More duplicate names, not listed: %1</source>
        <translation>更多重复的名称，未列出：%1</translation>
    </message>
    <message>
        <source>Not enough memory for this list.</source>
        <translation>内存不足，无法处理此列表。</translation>
    </message>
    <message>
        <source>The server declares &apos;%1&apos; but does not implement %2 (-32601).</source>
        <translation>服务器声明了 &apos;%1&apos;，但没有实现 %2（-32601）。</translation>
    </message>
    <message>
        <source>The list ended early (pages loaded: %1).</source>
        <translation>列表提前结束（已加载的页数：%1）。</translation>
    </message>
    <message>
        <source>Retrying in %1 s.</source>
        <translation>%1 秒后重试。</translation>
    </message>
</context>
<context>
    <name>sonde::ChangeWords</name>
    <message>
        <source>only after: %1</source>
        <translation>仅之后有：%1</translation>
    </message>
    <message>
        <source>%1 added: %2</source>
        <translation>已添加 %1：%2</translation>
    </message>
    <message>
        <source>only before: %1</source>
        <translation>仅之前有：%1</translation>
    </message>
    <message>
        <source>%1 removed, was %2</source>
        <translation>已移除 %1，原为 %2</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 已更改</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, same value</source>
        <translation>%1，值相同</translation>
    </message>
    <message>
        <source>order changed</source>
        <translation>顺序已更改</translation>
    </message>
    <message>
        <source>parameter %1 added</source>
        <translation>已添加参数 %1</translation>
    </message>
    <message>
        <source>field %1 added</source>
        <translation>已添加字段 %1</translation>
    </message>
    <message>
        <source>parameter %1 removed</source>
        <translation>已移除参数 %1</translation>
    </message>
    <message>
        <source>field %1 removed</source>
        <translation>已移除字段 %1</translation>
    </message>
    <message>
        <source>no longer required: %1</source>
        <translation>不再必填：%1</translation>
    </message>
    <message>
        <source>now required: %1</source>
        <translation>现在必填：%1</translation>
    </message>
    <message>
        <source>values removed: %1</source>
        <translation>已移除的值：%1</translation>
    </message>
    <message>
        <source>values added: %1</source>
        <translation>已添加的值：%1</translation>
    </message>
    <message>
        <source>all capabilities</source>
        <translation>所有能力</translation>
    </message>
    <message>
        <source>Protocol revision</source>
        <translation>协议修订版</translation>
    </message>
    <message>
        <source>Server name and version</source>
        <translation>服务器名称和版本</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Variable %1</source>
        <translation>变量 %1</translation>
    </message>
    <message>
        <source>Header %1</source>
        <translation>标头 %1</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Inherited variables</source>
        <translation>继承的变量</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>Client name and version</source>
        <translation>客户端名称和版本</translation>
    </message>
    <message>
        <source>Client capabilities</source>
        <translation>客户端能力</translation>
    </message>
    <message>
        <source>Requested revision</source>
        <translation>请求的修订版</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>result: %1</source>
        <translation>结果：%1</translation>
    </message>
    <message>
        <source>argument “%1” added</source>
        <translation>已添加参数“%1”</translation>
    </message>
    <message>
        <source>argument “%1” removed</source>
        <translation>已移除参数“%1”</translation>
    </message>
    <message>
        <source>different secret value</source>
        <translation>机密值不同</translation>
    </message>
    <message>
        <source>argument %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>wording only</source>
        <translation>仅措辞</translation>
    </message>
    <message>
        <source>harmless</source>
        <translation>无害</translation>
    </message>
    <message>
        <source>unclear</source>
        <translation>不明确</translation>
    </message>
    <message>
        <source>breaking</source>
        <translation>不兼容</translation>
    </message>
</context>
<context>
    <name>sonde::Client</name>
    <message>
        <source>Batches are not allowed in revision %1; shown but not processed.</source>
        <translation>修订版 %1 不允许批量；已显示但未处理。</translation>
    </message>
    <message>
        <source>Empty batch.</source>
        <translation>空批量。</translation>
    </message>
    <message>
        <source>Max %1 responses to one batch; this request has none.</source>
        <translation>一个批量最多 %1 个响应；此请求没有响应。</translation>
    </message>
    <message>
        <source>An item of a batch is not a JSON-RPC message: %1</source>
        <translation>批量中的一项不是 JSON-RPC 消息：%1</translation>
    </message>
    <message>
        <source>it is a batch itself.</source>
        <translation>它本身就是批量。</translation>
    </message>
    <message>
        <source>The parameters of a request must be a JSON object.</source>
        <translation>请求的参数必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>Sent as is. Another request with this ID is open; the response will be matched to that one.</source>
        <translation>已原样发送。另一个未完成的请求使用了此 ID；响应将与那个请求匹配。</translation>
    </message>
    <message>
        <source>Sent as is. No response is expected: it is not a request with an ID.</source>
        <translation>已原样发送。预期没有响应：这不是带 ID 的请求。</translation>
    </message>
    <message>
        <source>The server responded to it without waiting for you.</source>
        <translation>服务器未等待您就对其作出了响应。</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>它已被取消。</translation>
    </message>
    <message>
        <source>It timed out.</source>
        <translation>它已超时。</translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation>它已失败。</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>未连接到服务器。</translation>
    </message>
    <message>
        <source>%1 (Findings of this kind so far: %2; further ones are mostly only counted.)</source>
        <translation>%1（目前此类检查结果：%2；后续大多只计数。）</translation>
    </message>
    <message>
        <source>Not a JSON-RPC message: %1</source>
        <translation>不是 JSON-RPC 消息：%1</translation>
    </message>
    <message>
        <source>The server could not read a request: its error response has no ID.</source>
        <translation>服务器无法读取某个请求：其错误响应没有 ID。</translation>
    </message>
    <message>
        <source>Unmatched response: the ID %1 is neither an integer nor a string.</source>
        <translation>不匹配的响应：ID %1 既不是整数，也不是字符串。</translation>
    </message>
    <message>
        <source>Duplicate response to request %1 (%2); the first one counts.</source>
        <translation>对请求 %1（%2）的重复响应；以第一个为准。</translation>
    </message>
    <message>
        <source>The server asked for input more than %1 times in one call.</source>
        <translation>服务器在一个调用中请求输入超过 %1 次。</translation>
    </message>
    <message>
        <source>Not enough memory to check the result against the tool&apos;s outputSchema.</source>
        <translation>内存不足，无法对照工具的 outputSchema 检查结果。</translation>
    </message>
    <message>
        <source>The server echoed request %1 from Sonde; no response was sent.</source>
        <translation>服务器回送了来自 Sonde 的请求 %1；没有发送响应。</translation>
    </message>
    <message>
        <source>The server echoed request %1 instead of responding to it.</source>
        <translation>服务器回送了请求 %1，而没有对其响应。</translation>
    </message>
    <message>
        <source>The program echoes its input, as cat or a terminal does. It is not an MCP server, or was not started as one.</source>
        <translation>该程序会回送其输入，就像 cat 或终端那样。它不是 MCP 服务器，或者没有作为 MCP 服务器启动。</translation>
    </message>
    <message>
        <source>Progress with an unknown token: %1</source>
        <translation>进度使用了未知的令牌：%1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>&apos;progress&apos; is not a number.</source>
        <translation>&apos;progress&apos; 不是数字。</translation>
    </message>
    <message>
        <source>The progress does not increase: %1 after %2.</source>
        <translation>进度没有增加：%2 之后为 %1。</translation>
    </message>
    <message>
        <source>The progress is beyond its total: %1 of %2.</source>
        <translation>进度超出其总数：%1 / %2。</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>连接已关闭。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>The cancellation could not be sent to the server: %1</source>
        <translation>无法向服务器发送取消：%1</translation>
    </message>
    <message>
        <source>Timed out after %1 s (max time per request).</source>
        <translation>%1 秒后超时（每个请求的最长时间）。</translation>
    </message>
    <message>
        <source>Timed out: no response or progress for %1 s.</source>
        <translation>超时：%1 秒内没有响应或进度。</translation>
    </message>
    <message>
        <source>The server started a task, although the client did not declare tasks.</source>
        <translation>服务器启动了任务，但客户端没有声明 tasks。</translation>
    </message>
    <message>
        <source>The server refused tasks/result while the task requires input: %1</source>
        <translation>任务需要输入时，服务器拒绝了 tasks/result：%1</translation>
    </message>
    <message>
        <source>The server turned a call into a task without being asked to.</source>
        <translation>服务器未经请求就将调用变为任务。</translation>
    </message>
    <message>
        <source>The server described the task %1 instead of the task %2.</source>
        <translation>服务器描述了任务 %1，而不是任务 %2。</translation>
    </message>
    <message>
        <source>The server does not support tasks.</source>
        <translation>服务器不支持任务。</translation>
    </message>
    <message>
        <source>The status of the task was %1, which is final; now it is %2.</source>
        <translation>任务的状态曾为 %1，这是最终状态；现在却是 %2。</translation>
    </message>
    <message>
        <source>The server does not support tasks any more.</source>
        <translation>服务器不再支持任务。</translation>
    </message>
    <message>
        <source>The server does not declare tasks/cancel; it goes on with the task.</source>
        <translation>服务器没有声明 tasks/cancel；它会继续执行任务。</translation>
    </message>
    <message>
        <source>The server did not cancel the task: %1</source>
        <translation>服务器没有取消任务：%1</translation>
    </message>
    <message>
        <source>The server did not accept the response to %1: %2</source>
        <translation>服务器没有接受对 %1 的响应：%2</translation>
    </message>
    <message>
        <source>No common protocol revision: the server supports %1, Sonde supports %2.</source>
        <translation>没有共同的协议修订版：服务器支持 %1，Sonde 支持 %2。</translation>
    </message>
    <message>
        <source>The server refuses revision %1, although it lists it as supported.</source>
        <translation>服务器拒绝修订版 %1，尽管将其列为支持。</translation>
    </message>
    <message>
        <source>The server refused the revision and named no other.</source>
        <translation>服务器拒绝了该修订版，且没有指明其他修订版。</translation>
    </message>
    <message>
        <source>The server supports only %1.</source>
        <translation>服务器只支持 %1。</translation>
    </message>
    <message>
        <source>The response to server/discover lists no revisions.</source>
        <translation>server/discover 的响应没有列出修订版。</translation>
    </message>
    <message>
        <source>The server lists %1 in its response to server/discover.</source>
        <translation>服务器在 server/discover 的响应中列出了 %1。</translation>
    </message>
    <message>
        <source>The server responded to server/discover with an error without a code.</source>
        <translation>服务器对 server/discover 的响应是没有代码的错误。</translation>
    </message>
    <message>
        <source>The server responded to server/discover with error %1.</source>
        <translation>服务器对 server/discover 的响应是错误 %1。</translation>
    </message>
    <message>
        <source>The server did not respond to server/discover.</source>
        <translation>服务器没有响应 server/discover。</translation>
    </message>
    <message>
        <source>The response to server/discover could not be used: %1</source>
        <translation>无法使用 server/discover 的响应：%1</translation>
    </message>
    <message>
        <source>The server exited on server/discover.</source>
        <translation>服务器在收到 server/discover 时退出。</translation>
    </message>
    <message>
        <source>The server responded to server/discover with HTTP %1.</source>
        <translation>服务器对 server/discover 的响应是 HTTP %1。</translation>
    </message>
    <message>
        <source>The call that asked for it has ended.</source>
        <translation>请求它的调用已结束。</translation>
    </message>
    <message>
        <source>The server asked for input (%1), which it did not get: %2</source>
        <translation>服务器请求输入（%1），但没有得到：%2</translation>
    </message>
    <message>
        <source>structuredContent could not be checked: %1%2</source>
        <translation>无法检查 structuredContent：%1%2</translation>
    </message>
    <message>
        <source>structuredContent does not match outputSchema: %1%2</source>
        <translation>structuredContent 与 outputSchema 不匹配：%1%2</translation>
    </message>
    <message>
        <source>it is missing, but the tool declares an outputSchema</source>
        <translation>它缺失，但工具声明了 outputSchema</translation>
    </message>
    <message>
        <source>structuredContent does not match outputSchema in more places: %1</source>
        <translation>structuredContent 还有更多位置与 outputSchema 不匹配：%1</translation>
    </message>
    <message>
        <source>Unmatched response: its ID is the string %1, but the request&apos;s was the number %2. The type of an ID must not change.</source>
        <translation>不匹配的响应：其 ID 是字符串 %1，而请求的 ID 是数字 %2。ID 的类型不得改变。</translation>
    </message>
    <message>
        <source>Unmatched response: its id is the number %1, but the request&apos;s was the string %2. An id must come back with its own type.</source>
        <translation>不匹配的响应：其 id 是数字 %1，而请求的 id 是字符串 %2。id 必须以其原有类型返回。</translation>
    </message>
    <message>
        <source>Unmatched response: no request with the ID %1 was sent.</source>
        <translation>不匹配的响应：没有发送过 ID 为 %1 的请求。</translation>
    </message>
    <message>
        <source>Response to a cancelled request: %1 (%2), cancelled %3 s earlier.</source>
        <translation>对已取消请求的响应：%1（%2），%3 秒前已取消。</translation>
    </message>
    <message>
        <source>Late response to request %1 (%2), which timed out %3 s earlier.</source>
        <translation>对请求 %1（%2）的迟到响应，该请求 %3 秒前已超时。</translation>
    </message>
    <message>
        <source>Late response to request %1 (%2), which failed %3 s earlier.</source>
        <translation>对请求 %1（%2）的迟到响应，该请求 %3 秒前已失败。</translation>
    </message>
    <message>
        <source>The server asked for %1 inputs at once; the limit is %2.</source>
        <translation>服务器一次请求了 %1 个输入；上限为 %2。</translation>
    </message>
    <message>
        <source>The server asked for input without naming a method.</source>
        <translation>服务器请求输入，但没有指明方法。</translation>
    </message>
    <message>
        <source>The server asked for input with %1, which the client did not declare.</source>
        <translation>服务器使用 %1 请求输入，但客户端没有声明它。</translation>
    </message>
    <message>
        <source>The server asked for &apos;%1&apos; with an invalid %2: %3</source>
        <translation>服务器请求 &apos;%1&apos;，但其 %2 无效：%3</translation>
    </message>
    <message>
        <source>No response sent: the request&apos;s ID is neither an integer nor a string.</source>
        <translation>没有发送响应：请求的 ID 既不是整数，也不是字符串。</translation>
    </message>
    <message>
        <source>Servers cannot send requests in revision %1; no response was sent.</source>
        <translation>在修订版 %1 中服务器不能发送请求；没有发送响应。</translation>
    </message>
    <message>
        <source>No response sent: the connection is closing.</source>
        <translation>没有发送响应：连接正在关闭。</translation>
    </message>
    <message>
        <source>The response to a server request could not be sent: %1</source>
        <translation>无法发送对服务器请求的响应：%1</translation>
    </message>
    <message>
        <source>A server request with the ID %1 is already open; no response was sent to this one.</source>
        <translation>ID 为 %1 的服务器请求已在等待处理；没有对此请求发送响应。</translation>
    </message>
    <message>
        <source>Max %1 open server requests; this one is refused.</source>
        <translation>最多 %1 个待处理的服务器请求；此请求被拒绝。</translation>
    </message>
    <message>
        <source>The responses to a batch could not be sent: %1</source>
        <translation>无法发送对批量的响应：%1</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>The poll interval must be a number of milliseconds above 0; it is %1. Sonde asks every second.</source>
        <translation>轮询间隔必须是大于 0 的毫秒数；实际为 %1。Sonde 每秒询问一次。</translation>
    </message>
    <message>
        <source>The poll interval is %1 ms; Sonde asks every 10 minutes.</source>
        <translation>轮询间隔为 %1 毫秒；Sonde 每 10 分钟询问一次。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of the task must be an ISO 8601 time; it is %2.</source>
        <translation>任务的 &apos;%1&apos; 必须是 ISO 8601 时间；实际为 %2。</translation>
    </message>
    <message>
        <source>The task has no &apos;taskId&apos;.</source>
        <translation>任务没有 &apos;taskId&apos;。</translation>
    </message>
    <message>
        <source>Unknown task status: %1.</source>
        <translation>未知的任务状态：%1。</translation>
    </message>
    <message>
        <source>The ttl of the task must be a number of milliseconds or null; it is %1.</source>
        <translation>任务的 ttl 必须是毫秒数或 null；实际为 %1。</translation>
    </message>
    <message>
        <source>working</source>
        <translation>处理中</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>需要输入</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>The server does not support server/discover.</source>
        <translation>服务器不支持 server/discover。</translation>
    </message>
</context>
<context>
    <name>sonde::CommandLine</name>
    <message>
        <source>Unclosed quote %1 at position %2.</source>
        <translation>位置 %2 处的引号 %1 未闭合。</translation>
    </message>
    <message>
        <source>No shell is used: %1 is passed as is. Use sh -c &apos;…&apos; if you need a shell.</source>
        <translation>不使用 shell：%1 按原样传递。如需 shell，请使用 sh -c &apos;…&apos;。</translation>
    </message>
    <message>
        <source>No shell is used, so the folder &apos;%1&apos; cannot be resolved.</source>
        <translation>不使用 shell，因此无法解析文件夹 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>Enter the full path, or use sh -c &apos;…&apos;.</source>
        <translation>请输入完整路径，或使用 sh -c &apos;…&apos;。</translation>
    </message>
    <message>
        <source>The text contains several commands, one on each line.</source>
        <translation>文本包含多个命令，每行一个。</translation>
    </message>
    <message>
        <source>Enter one command at a time.</source>
        <translation>请一次输入一个命令。</translation>
    </message>
    <message>
        <source>&apos;cd&apos; only changes the folder; no server would be started.</source>
        <translation>&apos;cd&apos; 只会切换文件夹；不会启动任何服务器。</translation>
    </message>
    <message>
        <source>Use cd FOLDER &amp;&amp; COMMAND.</source>
        <translation>请使用 cd FOLDER &amp;&amp; COMMAND。</translation>
    </message>
</context>
<context>
    <name>sonde::Comparison</name>
    <message>
        <source>Environment variables were not recorded on one side; not compared.</source>
        <translation>一侧没有录制环境变量；未比较。</translation>
    </message>
    <message>
        <source>%1: redacted in the session; cannot be compared.</source>
        <translation>%1：已在会话中遮盖；无法比较。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Resource templates</source>
        <translation>资源模板</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>%1: not listed completely on either side; not compared.</source>
        <translation>%1：两侧均未完整列出；未比较。</translation>
    </message>
    <message>
        <source>%1: not listed completely on one side; not compared.</source>
        <translation>%1：其中一侧未完整列出；未比较。</translation>
    </message>
    <message>
        <source>%1 lists &apos;%2&apos; more than once; only the first one is compared.</source>
        <translation>%1 多次列出 &apos;%2&apos;；只比较第一个。</translation>
    </message>
</context>
<context>
    <name>sonde::Connection</name>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Restarting…</source>
        <translation>正在重启…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Session lost (HTTP %1). Starting a new one.</source>
        <translation>会话丢失（HTTP %1）。正在启动新会话。</translation>
    </message>
    <message>
        <source>HTTP+SSE: the server rejected Streamable HTTP (HTTP %1)</source>
        <translation>HTTP+SSE：服务器拒绝了 Streamable HTTP（HTTP %1）</translation>
    </message>
    <message>
        <source>Streamable HTTP: HTTP+SSE failed (%1)</source>
        <translation>Streamable HTTP：HTTP+SSE 失败（%1）</translation>
    </message>
    <message>
        <source>Cancelled by you</source>
        <translation>已被您取消</translation>
    </message>
    <message>
        <source>Waiting for your approval…</source>
        <translation>正在等待您的批准…</translation>
    </message>
    <message>
        <source>Waiting for you to sign in…</source>
        <translation>正在等待您登录…</translation>
    </message>
    <message>
        <source>Waiting for credentials…</source>
        <translation>正在等待凭据…</translation>
    </message>
    <message>
        <source>Waiting for server/discover…</source>
        <translation>正在等待 server/discover…</translation>
    </message>
    <message>
        <source>Session lost. Starting a new one…</source>
        <translation>会话丢失。正在启动新会话…</translation>
    </message>
    <message>
        <source>Waiting for the handshake…</source>
        <translation>正在等待握手…</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>连接已丢失</translation>
    </message>
    <message>
        <source>Session lost: the server no longer knew the new session either (HTTP %1).</source>
        <translation>会话丢失：服务器也不再认识新会话（HTTP %1）。</translation>
    </message>
    <message>
        <source>A new session was started once, and lost before anything worked. To try again, reconnect.</source>
        <translation>已启动过一次新会话，但在任何操作成功之前就丢失了。要重试，请重新连接。</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>连接已关闭。</translation>
    </message>
    <message>
        <source>connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>host not found</source>
        <translation>找不到主机</translation>
    </message>
    <message>
        <source>TLS: certificate not trusted</source>
        <translation>TLS：证书不受信任</translation>
    </message>
    <message>
        <source>HTTP %1</source>
        <translation>HTTP %1</translation>
    </message>
    <message>
        <source>session lost</source>
        <translation>会话已丢失</translation>
    </message>
    <message>
        <source>credentials required</source>
        <translation>需要凭据</translation>
    </message>
    <message>
        <source>scope missing</source>
        <translation>缺少作用域</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2) during startup.</source>
        <translation>服务器在启动期间被信号 %1（%2）终止。</translation>
    </message>
    <message>
        <source>The server exited with code %1 during startup.</source>
        <translation>服务器在启动期间退出，代码为 %1。</translation>
    </message>
    <message>
        <source>Last lines of stderr:</source>
        <translation>stderr 的最后几行：</translation>
    </message>
    <message>
        <source>terminated by %1</source>
        <translation>被 %1 终止</translation>
    </message>
    <message>
        <source>exited with code %1</source>
        <translation>已退出，代码为 %1</translation>
    </message>
    <message>
        <source>%1 during startup</source>
        <translation>启动期间%1</translation>
    </message>
    <message>
        <source>not authorized</source>
        <translation>未授权</translation>
    </message>
    <message>
        <source>HTTP %1 · not authorized</source>
        <translation>HTTP %1 · 未授权</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>已超时</translation>
    </message>
    <message>
        <source>handshake failed</source>
        <translation>握手失败</translation>
    </message>
    <message>
        <source>handshake failed: error %1</source>
        <translation>握手失败：错误 %1</translation>
    </message>
    <message>
        <source>%1 cannot be removed, only replaced; every HTTP request needs it. Its default value is sent.</source>
        <translation>%1 不能移除，只能替换；每个 HTTP 请求都需要它。将发送其默认值。</translation>
    </message>
    <message>
        <source>The value of %1 is redacted in the session and has no default. Enter a value, or the header is not sent.</source>
        <translation>%1 的值已在会话中遮盖，且没有默认值。请输入值，否则不会发送该标头。</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>批准</translation>
    </message>
    <message>
        <source>Resolve secrets</source>
        <translation>解析机密</translation>
    </message>
    <message>
        <source>Find the server</source>
        <translation>查找服务器</translation>
    </message>
    <message>
        <source>Choose the transport</source>
        <translation>选择传输方式</translation>
    </message>
    <message>
        <source>Open the connection</source>
        <translation>打开连接</translation>
    </message>
    <message>
        <source>Authorize</source>
        <translation>授权</translation>
    </message>
    <message>
        <source>Detect the protocol</source>
        <translation>检测协议</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>握手</translation>
    </message>
    <message>
        <source>List tools, resources and prompts</source>
        <translation>列出工具、资源和提示词</translation>
    </message>
    <message>
        <source>The server sent a message that violates JSON-RPC: %1</source>
        <translation>服务器发送了违反 JSON-RPC 的消息：%1</translation>
    </message>
    <message>
        <source>The server sent %1 messages that violate JSON-RPC. The first: %2</source>
        <translation>服务器发送了 %1 条违反 JSON-RPC 的消息。第一条：%2</translation>
    </message>
    <message>
        <source>The server wrote a line to standard output that is not a JSON-RPC message: %1</source>
        <translation>服务器向标准输出写入了一行非 JSON-RPC 消息的内容：%1</translation>
    </message>
    <message>
        <source>The server wrote %1 lines to standard output that are not JSON-RPC messages. The first: %2</source>
        <translation>服务器向标准输出写入了 %1 行非 JSON-RPC 消息的内容。第一行：%2</translation>
    </message>
    <message>
        <source>The server violates JSON-RPC: %1</source>
        <translation>服务器违反 JSON-RPC：%1</translation>
    </message>
    <message>
        <source>The server frames its messages with Content-Length headers, as the Language Server Protocol does. MCP servers write one message per line.</source>
        <translation>服务器使用 Content-Length 标头为消息分帧，就像 Language Server Protocol 那样。MCP 服务器每行写入一条消息。</translation>
    </message>
    <message>
        <source>The server spreads its messages over several lines (indented JSON). MCP servers write each message on one line, without line breaks in it.</source>
        <translation>服务器将其消息分布在多行上（缩进的 JSON）。MCP 服务器将每条消息写在一行上，消息中没有换行符。</translation>
    </message>
    <message>
        <source>Standard output must carry nothing but JSON-RPC messages, one per line. Logs belong on standard error.</source>
        <translation>标准输出只能包含 JSON-RPC 消息，每行一条。日志应写入标准错误。</translation>
    </message>
    <message>
        <source>Standard output, violating JSON-RPC:</source>
        <translation>标准输出，违反 JSON-RPC：</translation>
    </message>
    <message>
        <source>Standard output, not JSON-RPC:</source>
        <translation>标准输出，不是 JSON-RPC：</translation>
    </message>
    <message>
        <source>… and more: %1 lines in all</source>
        <translation>… 还有更多：共 %1 行</translation>
    </message>
</context>
<context>
    <name>sonde::Connector</name>
    <message>
        <source>The server supports revisions %1; Sonde supports %2.</source>
        <translation>服务器支持修订版 %1；Sonde 支持 %2。</translation>
    </message>
    <message>
        <source>%1 has no initialize: set the protocol revision of this server to Automatic.</source>
        <translation>%1 没有 initialize：请将此服务器的协议修订版设为“自动”。</translation>
    </message>
    <message>
        <source>The server speaks revision 2026-07-28 or later, which has no initialize. Set the protocol revision of this server to Automatic.</source>
        <translation>服务器使用修订版 2026-07-28 或更高版本，其中没有 initialize。请将此服务器的协议修订版设为“自动”。</translation>
    </message>
    <message>
        <source>The server does not know initialize. It may speak only revision 2026-07-28 or later: set the protocol revision of this server to Automatic.</source>
        <translation>服务器不认识 initialize。它可能只使用修订版 2026-07-28 或更高版本：请将此服务器的协议修订版设为“自动”。</translation>
    </message>
    <message>
        <source>Connecting timed out after %1 s.</source>
        <translation>连接在 %1 秒后超时。</translation>
    </message>
    <message>
        <source>No transport.</source>
        <translation>没有传输方式。</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>连接已关闭。</translation>
    </message>
    <message>
        <source>The &apos;protocolVersion&apos; in the response to initialize is not a string.</source>
        <translation>initialize 响应中的 &apos;protocolVersion&apos; 不是字符串。</translation>
    </message>
    <message>
        <source>The response to initialize has no &apos;protocolVersion&apos;.</source>
        <translation>initialize 响应没有 &apos;protocolVersion&apos;。</translation>
    </message>
    <message>
        <source>The server responded to initialize with revision %1, which has no initialize. With initialize, Sonde supports %2.</source>
        <translation>服务器对 initialize 的响应为修订版 %1，而该修订版没有 initialize。使用 initialize 时，Sonde 支持 %2。</translation>
    </message>
    <message>
        <source>Its response to server/discover did not offer that revision.</source>
        <translation>其对 server/discover 的响应没有提供该修订版。</translation>
    </message>
    <message>
        <source>Set the protocol revision of this server to Automatic.</source>
        <translation>请将此服务器的协议修订版设为“自动”。</translation>
    </message>
    <message>
        <source>No common protocol revision: the server offered &apos;%1&apos;, Sonde supports %2.</source>
        <translation>没有共同的协议修订版：服务器提供 &apos;%1&apos;，Sonde 支持 %2。</translation>
    </message>
    <message>
        <source>The server did not respond to %1 within %2 s.</source>
        <translation>服务器在 %2 秒内没有响应 %1。</translation>
    </message>
    <message>
        <source>A server that is downloaded at start, or that waits for something, may need longer.</source>
        <translation>启动时需要下载的服务器，或在等待某些内容的服务器，可能需要更长时间。</translation>
    </message>
</context>
<context>
    <name>sonde::Dialect</name>
    <message>
        <source>There are more findings of this kind.</source>
        <translation>还有更多此类检查结果。</translation>
    </message>
    <message>
        <source>At byte %1: %2</source>
        <translation>字节 %1 处：%2</translation>
    </message>
    <message>
        <source>The server&apos;s response breaks JSON-RPC.</source>
        <translation>服务器的响应违反 JSON-RPC。</translation>
    </message>
    <message>
        <source>The result of %1 is %2, not an object.</source>
        <translation>%1 的结果是 %2，而不是对象。</translation>
    </message>
    <message>
        <source>Response to %1: %2</source>
        <translation>对 %1 的响应：%2</translation>
    </message>
    <message>
        <source>&apos;isError&apos; is %1, not a boolean; it is read as false.</source>
        <translation>&apos;isError&apos; 是 %1，而不是布尔值；按 false 读取。</translation>
    </message>
    <message>
        <source>The tool %1 cannot be called over HTTP: %2</source>
        <translation>工具 %1 无法通过 HTTP 调用：%2</translation>
    </message>
    <message>
        <source>“%1” is too large for the header %2: integers there end at ±9007199254740991.</source>
        <translation>“%1”对标头 %2 来说过大：那里的整数上限为 ±9007199254740991。</translation>
    </message>
    <message>
        <source>The server supports %1, Sonde supports %2. Use Detect again.</source>
        <translation>服务器支持 %1，Sonde 支持 %2。请使用“重新检测”。</translation>
    </message>
    <message>
        <source>The result has no &apos;resultType&apos;; it is read as complete.</source>
        <translation>结果没有 &apos;resultType&apos;；按 complete 读取。</translation>
    </message>
    <message>
        <source>The server asks for input, but does not say which.</source>
        <translation>服务器请求输入，但没有说明是什么输入。</translation>
    </message>
    <message>
        <source>The result of %1 has the type %2, which is not allowed there.</source>
        <translation>%1 的结果类型为 %2，此处不允许。</translation>
    </message>
    <message>
        <source>The task was cancelled.</source>
        <translation>任务已取消。</translation>
    </message>
    <message>
        <source>The task was cancelled: %1</source>
        <translation>任务已取消：%1</translation>
    </message>
    <message>
        <source>The server started a task without a &apos;taskId&apos;, so its result cannot be read.</source>
        <translation>服务器启动了没有 &apos;taskId&apos; 的任务，因此无法读取其结果。</translation>
    </message>
    <message>
        <source>The &apos;taskId&apos; of the task has %1 characters; the limit is %2.</source>
        <translation>任务的 &apos;taskId&apos; 有 %1 个字符；上限为 %2。</translation>
    </message>
    <message>
        <source>The server does not say the &apos;status&apos; of the task, so it cannot be followed.</source>
        <translation>服务器没有说明任务的 &apos;status&apos;，因此无法跟踪任务。</translation>
    </message>
    <message>
        <source>The server says that the &apos;status&apos; of the task is %1, which the protocol does not have, so it cannot be followed.</source>
        <translation>服务器称任务的 &apos;status&apos; 为 %1，协议中没有该状态，因此无法跟踪任务。</translation>
    </message>
    <message>
        <source>A task that has not ended has a result; it is ignored.</source>
        <translation>尚未结束的任务带有结果；已忽略该结果。</translation>
    </message>
    <message>
        <source>The task requires input, but has no object &apos;inputRequests&apos;.</source>
        <translation>任务需要输入，但没有对象 &apos;inputRequests&apos;。</translation>
    </message>
    <message>
        <source>The task is completed, but the server sent no &apos;result&apos; with it.</source>
        <translation>任务已完成，但服务器没有随之发送 &apos;result&apos;。</translation>
    </message>
    <message>
        <source>The task failed, and the server sent no &apos;error&apos; with it. %1</source>
        <translation>任务失败，且服务器没有随之发送 &apos;error&apos;。%1</translation>
    </message>
</context>
<context>
    <name>sonde::Difference</name>
    <message>
        <source>absent</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>number format</source>
        <translation>数字格式</translation>
    </message>
    <message>
        <source>same value, different text</source>
        <translation>值相同，文本不同</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>%1: added %2</source>
        <translation>%1：已添加 %2</translation>
    </message>
    <message>
        <source>%1: removed %2</source>
        <translation>%1：已移除 %2</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message>
        <source>%1: %2 → %3, same value</source>
        <translation>%1：%2 → %3，值相同</translation>
    </message>
    <message>
        <source>more than %1 differences</source>
        <translation>超过 %1 处差异</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 处差异</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 处差异</translation>
    </message>
    <message>
        <source>1 difference in formatting only</source>
        <translation>1 处仅格式上的差异</translation>
    </message>
    <message>
        <source>%1 differences in formatting only</source>
        <translation>%1 处仅格式上的差异</translation>
    </message>
    <message>
        <source>%1 in formatting only</source>
        <translation>%1 处仅格式不同</translation>
    </message>
</context>
<context>
    <name>sonde::Doctor</name>
    <message>
        <source>another processor</source>
        <translation>其他处理器</translation>
    </message>
    <message>
        <source>the program is for %1</source>
        <translation>该程序适用于 %1</translation>
    </message>
    <message>
        <source>Install the one for this system.</source>
        <translation>请安装适用于此系统的程序。</translation>
    </message>
    <message>
        <source>neither a program of this system nor a script that names its interpreter</source>
        <translation>既不是此系统的程序，也不是指明了解释器的脚本</translation>
    </message>
    <message>
        <source>A script needs a first line such as “#!/bin/sh”; or start it through its interpreter.</source>
        <translation>脚本的首行须类似“#!/bin/sh”；或者通过其解释器启动它。</translation>
    </message>
    <message>
        <source>the program is for %1; this computer is %2</source>
        <translation>该程序适用于 %1；此计算机是 %2</translation>
    </message>
    <message>
        <source>the program needs the loader %1, which does not exist</source>
        <translation>该程序需要加载器 %1，但它不存在</translation>
    </message>
    <message>
        <source>It was built for another distribution, such as one with musl.</source>
        <translation>它是为其他发行版构建的，例如使用 musl 的发行版。</translation>
    </message>
    <message>
        <source>Use the login shell&apos;s PATH</source>
        <translation>使用登录 shell 的 PATH</translation>
    </message>
    <message>
        <source>Choose working directory…</source>
        <translation>选择工作目录…</translation>
    </message>
    <message>
        <source>Edit server…</source>
        <translation>编辑服务器…</translation>
    </message>
    <message>
        <source>Add a header…</source>
        <translation>添加标头…</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Try HTTP+SSE</source>
        <translation>尝试 HTTP+SSE</translation>
    </message>
    <message>
        <source>Detect the transport</source>
        <translation>检测传输方式</translation>
    </message>
    <message>
        <source>Network settings…</source>
        <translation>网络设置…</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>First output</source>
        <translation>首次输出</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Host name</source>
        <translation>主机名</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>TLS</source>
        <translation>TLS</translation>
    </message>
    <message>
        <source>HTTP status</source>
        <translation>HTTP 状态</translation>
    </message>
    <message>
        <source>Authorization</source>
        <translation>授权</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>握手</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>列表</translation>
    </message>
</context>
<context>
    <name>sonde::Entry</name>
    <message>
        <source>The entry is not an object.</source>
        <translation>条目不是对象。</translation>
    </message>
    <message>
        <source>&apos;uri&apos; has no scheme.</source>
        <translation>&apos;uri&apos; 没有方案。</translation>
    </message>
    <message>
        <source>Neither &apos;text&apos; nor &apos;blob&apos; is present.</source>
        <translation>&apos;text&apos; 和 &apos;blob&apos; 均不存在。</translation>
    </message>
    <message>
        <source>Both &apos;text&apos; and &apos;blob&apos; are present.</source>
        <translation>&apos;text&apos; 和 &apos;blob&apos; 同时存在。</translation>
    </message>
    <message>
        <source>The content is not an object.</source>
        <translation>内容不是对象。</translation>
    </message>
    <message>
        <source>Unknown content type &quot;%1&quot;.</source>
        <translation>未知的内容类型 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>The content is a single object instead of an array.</source>
        <translation>内容是单个对象，而不是数组。</translation>
    </message>
</context>
<context>
    <name>sonde::EventStream</name>
    <message>
        <source>The server ended the event stream, which ends the session.</source>
        <translation>服务器结束了事件流，会话随之结束。</translation>
    </message>
    <message>
        <source>HTTP+SSE cannot resume a stream. Reconnect to start a new session.</source>
        <translation>HTTP+SSE 无法恢复流。请重新连接以启动新会话。</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: the server refuses it (HTTP %1).</source>
        <translation>不会重新打开服务器消息的流：服务器拒绝它（HTTP %1）。</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: it ended without a message.</source>
        <translation>不会重新打开服务器消息的流：它在没有消息的情况下结束。</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: it ended %1 times in a row without a message.</source>
        <translation>不会重新打开服务器消息的流：它连续 %1 次在没有消息的情况下结束。</translation>
    </message>
    <message>
        <source>Server notifications and requests will not be received. Reconnect to reopen the stream.</source>
        <translation>将收不到服务器的通知和请求。请重新连接以重新打开该流。</translation>
    </message>
</context>
<context>
    <name>sonde::Examination</name>
    <message>
        <source>not reached</source>
        <translation>未到达</translation>
    </message>
    <message>
        <source>revision %1, %2 %3</source>
        <translation>修订版 %1，%2 %3</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>resource templates</source>
        <translation>资源模板</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>none offered</source>
        <translation>未提供</translation>
    </message>
</context>
<context>
    <name>sonde::Exporter</name>
    <message>
        <source>This file is the session itself.</source>
        <translation>此文件就是会话本身。</translation>
    </message>
    <message>
        <source>Choose another file; an export contains less than the session.</source>
        <translation>请选择其他文件；导出的内容少于会话。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation>未写入：%1</translation>
    </message>
    <message>
        <source>… and %1 more bytes</source>
        <translation>… 还有 %1 个字节</translation>
    </message>
    <message>
        <source>Session with %1</source>
        <translation>与 %1 的会话</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 条记录</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Waiting for user</source>
        <translation>等待用户</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>plus %1 waiting for user</source>
        <translation>另有 %1 等待用户</translation>
    </message>
    <message>
        <source>Redacted</source>
        <translation>已遮盖</translation>
    </message>
</context>
<context>
    <name>sonde::Files</name>
    <message>
        <source>%1 is being changed by another program.</source>
        <translation>%1 正被其他程序更改。</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后重试。</translation>
    </message>
    <message>
        <source>%1 is not a JSON object.</source>
        <translation>%1 不是 JSON 对象。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>not an ordinary file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>Standard input</source>
        <translation>标准输入</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>%1 is larger than %2.</source>
        <translation>%1 大于 %2。</translation>
    </message>
    <message>
        <source>Check that it is the right file.</source>
        <translation>请检查文件是否正确。</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>a named pipe</source>
        <translation>命名管道</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>something else</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>%1 cannot be read: it is %2, not an ordinary file.</source>
        <translation>无法读取 %1：它是%2，而不是普通文件。</translation>
    </message>
    <message>
        <source>Put an ordinary file in its place.</source>
        <translation>请在其位置放置普通文件。</translation>
    </message>
    <message>
        <source>No home directory: HOME is not set.</source>
        <translation>没有主目录：HOME 未设置。</translation>
    </message>
    <message>
        <source>Set HOME and start Sonde again.</source>
        <translation>请设置 HOME，然后重新启动 Sonde。</translation>
    </message>
    <message>
        <source>The folder &apos;%1&apos; could not be created: %2</source>
        <translation>无法创建文件夹 &apos;%1&apos;：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a folder.</source>
        <translation>&apos;%1&apos; 不是文件夹。</translation>
    </message>
</context>
<context>
    <name>sonde::Filter</name>
    <message>
        <source>This filter is too long.</source>
        <translation>此筛选器过长。</translation>
    </message>
    <message>
        <source>Method of the message, or of its request</source>
        <translation>消息或其请求的方法</translation>
    </message>
    <message>
        <source>Name of the called tool, also on responses</source>
        <translation>被调用工具的名称，响应也适用</translation>
    </message>
    <message>
        <source>Name of the requested prompt, also on responses</source>
        <translation>被请求提示词的名称，响应也适用</translation>
    </message>
    <message>
        <source>URI of the resource, also on responses</source>
        <translation>资源的 URI，响应也适用</translation>
    </message>
    <message>
        <source>ID of the request or response</source>
        <translation>请求或响应的 ID</translation>
    </message>
    <message>
        <source>Direction: out to the server, in from the server, or local</source>
        <translation>方向：out 发往服务器，in 来自服务器，或 local</translation>
    </message>
    <message>
        <source>Kind of record or message</source>
        <translation>记录或消息的类型</translation>
    </message>
    <message>
        <source>Outcome of the request</source>
        <translation>请求的结果状态</translation>
    </message>
    <message>
        <source>Milliseconds from request to response</source>
        <translation>从请求到响应的毫秒数</translation>
    </message>
    <message>
        <source>Bytes on the wire</source>
        <translation>线路上的字节数</translation>
    </message>
    <message>
        <source>HTTP status</source>
        <translation>HTTP 状态</translation>
    </message>
    <message>
        <source>Protocol revision in use</source>
        <translation>使用中的协议修订版</translation>
    </message>
    <message>
        <source>Name of the server</source>
        <translation>服务器的名称</translation>
    </message>
    <message>
        <source>Findings about the record as text; true or false</source>
        <translation>关于记录的检查结果，作为文本；true 或 false</translation>
    </message>
    <message>
        <source>Seconds since the start, a time of day, or a date and time</source>
        <translation>自开始以来的秒数、时刻，或日期和时间</translation>
    </message>
    <message>
        <source>JSON pointer into the message</source>
        <translation>指向消息内部的 JSON 指针</translation>
    </message>
    <message>
        <source>“%1” must be one of %2.</source>
        <translation>“%1”必须是 %2 之一。</translation>
    </message>
    <message>
        <source>Not a valid time. Write 12.5 (seconds since the start), 14:05:30 or 2026-01-31T14:05:30Z.</source>
        <translation>不是有效的时间。请写为 12.5（自开始以来的秒数）、14:05:30 或 2026-01-31T14:05:30Z。</translation>
    </message>
    <message>
        <source>Not a valid regular expression: %1, at character %2.</source>
        <translation>不是有效的正则表达式：%1，位于第 %2 个字符。</translation>
    </message>
    <message>
        <source>“%1” has no order: use == or !=.</source>
        <translation>“%1”没有顺序：请使用 == 或 !=。</translation>
    </message>
    <message>
        <source>“%1” must be compared with a number.</source>
        <translation>“%1”必须与数字比较。</translation>
    </message>
    <message>
        <source>Unmatched closing parenthesis.</source>
        <translation>右括号不匹配。</translation>
    </message>
    <message>
        <source>Nested too deeply.</source>
        <translation>嵌套过深。</translation>
    </message>
    <message>
        <source>Unclosed parenthesis.</source>
        <translation>括号未闭合。</translation>
    </message>
    <message>
        <source>Unclosed quote.</source>
        <translation>引号未闭合。</translation>
    </message>
    <message>
        <source>Expected a field before this operator: %1.</source>
        <translation>此运算符之前应为字段：%1。</translation>
    </message>
    <message>
        <source>Expected a word, a comparison or a parenthesis.</source>
        <translation>应为词语、比较或括号。</translation>
    </message>
    <message>
        <source>Expected a word, a comparison or a parenthesis before this.</source>
        <translation>此处之前应为词语、比较或括号。</translation>
    </message>
    <message>
        <source>Use == for equality.</source>
        <translation>请使用 == 表示相等。</translation>
    </message>
    <message>
        <source>Expected a value.</source>
        <translation>应为值。</translation>
    </message>
    <message>
        <source>Write ~ as ~0 in a JSON pointer.</source>
        <translation>在 JSON 指针中请将 ~ 写为 ~0。</translation>
    </message>
    <message>
        <source>Unknown field “%1”. Fields are %2, and JSON pointers such as /params/name. To search for text that contains =, &lt;, &gt; or ~, put it in quotes.</source>
        <translation>未知字段“%1”。字段包括 %2，以及 /params/name 之类的 JSON 指针。要搜索包含 =、&lt;、&gt; 或 ~ 的文本，请将其放在引号中。</translation>
    </message>
    <message>
        <source>The values of “%1” have no order: use ==, != or ~.</source>
        <translation>“%1”的值没有顺序：请使用 ==、!= 或 ~。</translation>
    </message>
    <message>
        <source>~ matches text, but “%1” is not text: use ==, !=, &lt;, &lt;=, &gt; or &gt;=.</source>
        <translation>~ 匹配文本，但“%1”不是文本：请使用 ==、!=、&lt;、&lt;=、&gt; 或 &gt;=。</translation>
    </message>
</context>
<context>
    <name>sonde::HttpExchange</name>
    <message>
        <source>The response from %1 is not HTTP.</source>
        <translation>来自 %1 的响应不是 HTTP。</translation>
    </message>
    <message>
        <source>It begins with: %1</source>
        <translation>它的开头是：%1</translation>
    </message>
    <message>
        <source>It speaks TLS on this port: begin the URL with https://.</source>
        <translation>它在此端口上使用 TLS：请以 https:// 作为 URL 的开头。</translation>
    </message>
    <message>
        <source>The headers of the response from %1 are longer than the limit of %2.</source>
        <translation>来自 %1 的响应的标头超出了 %2 的限制。</translation>
    </message>
    <message>
        <source>The response has an invalid Content-Length: %1</source>
        <translation>响应的 Content-Length 无效：%1</translation>
    </message>
    <message>
        <source>The response has the Transfer-Encoding “%1”; only “chunked” is supported.</source>
        <translation>响应的 Transfer-Encoding 为“%1”；只支持“chunked”。</translation>
    </message>
    <message>
        <source>The body of the response breaks the chunked encoding.</source>
        <translation>响应的正文违反 chunked 编码。</translation>
    </message>
    <message>
        <source>Expected a chunk size or a line end, got: %1</source>
        <translation>应为块大小或行尾，实际得到：%1</translation>
    </message>
    <message>
        <source>%1 closed the connection before it had read the whole request.</source>
        <translation>%1 在读取完整个请求之前关闭了连接。</translation>
    </message>
    <message>
        <source>The request (%1) may be larger than the server accepts.</source>
        <translation>请求（%1）可能大于服务器接受的大小。</translation>
    </message>
    <message>
        <source>The response from %1 stalled: no data received for %2 s.</source>
        <translation>来自 %1 的响应停滞：%2 秒内没有收到数据。</translation>
    </message>
    <message>
        <source>The headers of the response from %1 were not complete within %2 s.</source>
        <translation>来自 %1 的响应的标头在 %2 秒内不完整。</translation>
    </message>
    <message>
        <source>%1 did not start to respond within %2 s.</source>
        <translation>%1 在 %2 秒内没有开始响应。</translation>
    </message>
</context>
<context>
    <name>sonde::HttpFetch</name>
    <message>
        <source>%1 did not respond within %2 s.</source>
        <translation>%1 在 %2 秒内没有响应。</translation>
    </message>
    <message>
        <source>The response from %1 is larger than %2 bytes.</source>
        <translation>来自 %1 的响应大于 %2 字节。</translation>
    </message>
</context>
<context>
    <name>sonde::HttpStream</name>
    <message>
        <source>Session lost: the server no longer knows it (HTTP 404).</source>
        <translation>会话丢失：服务器已不认识该会话（HTTP 404）。</translation>
    </message>
    <message>
        <source>If no new session was started, reconnect. Calls are repeated only once, and only if that is safe.</source>
        <translation>如果没有启动新会话，请重新连接。调用只会重复一次，且仅在安全时重复。</translation>
    </message>
    <message>
        <source>The server compressed its response (%1), which Sonde does not support.</source>
        <translation>服务器压缩了响应（%1），Sonde 不支持这种压缩。</translation>
    </message>
    <message>
        <source>The server compressed its response (%1), although compression was not accepted.</source>
        <translation>服务器压缩了响应（%1），但请求并未接受压缩。</translation>
    </message>
    <message>
        <source>Set Accept-Encoding to “identity”.</source>
        <translation>请将 Accept-Encoding 设为“identity”。</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 without a response to the request.</source>
        <translation>服务器返回了 HTTP %1，但没有对请求的响应。</translation>
    </message>
    <message>
        <source>The response has no Content-Type.</source>
        <translation>响应没有 Content-Type。</translation>
    </message>
    <message>
        <source>The server returned %1 instead of JSON or an event stream.</source>
        <translation>服务器返回的是 %1，而不是 JSON 或事件流。</translation>
    </message>
    <message>
        <source>This is a web page: possibly a login page, or the wrong URL.</source>
        <translation>这是一个网页：可能是登录页，也可能 URL 有误。</translation>
    </message>
</context>
<context>
    <name>sonde::HttpTransport</name>
    <message>
        <source>on a private network</source>
        <translation>专用网络上的地址</translation>
    </message>
    <message>
        <source>a link-local address</source>
        <translation>链路本地地址</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>此计算机上的地址</translation>
    </message>
    <message>
        <source>a reserved address</source>
        <translation>保留地址</translation>
    </message>
    <message>
        <source>a public address</source>
        <translation>公共地址</translation>
    </message>
    <message>
        <source>Not connected to %1, which the server named: it is %2.</source>
        <translation>未连接到服务器指明的 %1：它是%2。</translation>
    </message>
    <message>
        <source>Not connected to %1, which the server named: its address %2 is %3.</source>
        <translation>未连接到服务器指明的 %1：其地址 %2 是%3。</translation>
    </message>
    <message>
        <source>If you trust this, add %1 to the allowed hosts in this server&apos;s network settings, or pass --allow-host to sonde-cli.</source>
        <translation>如果您信任它，请在此服务器的网络设置中将 %1 添加到允许的主机，或向 sonde-cli 传递 --allow-host。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>  certificate of %1, issued by %2, valid from %3</source>
        <translation>  %1 的证书，由 %2 颁发，有效期 %3</translation>
    </message>
    <message>
        <source>The server&apos;s certificate:</source>
        <translation>服务器的证书：</translation>
    </message>
    <message>
        <source>  Subject: %1</source>
        <translation>  使用者：%1</translation>
    </message>
    <message>
        <source>  For: %1</source>
        <translation>  用于：%1</translation>
    </message>
    <message>
        <source>  Issuer: %1</source>
        <translation>  颁发者：%1</translation>
    </message>
    <message>
        <source>  Valid: %1</source>
        <translation>  有效期：%1</translation>
    </message>
    <message>
        <source>  SHA-256: %1</source>
        <translation>  SHA-256：%1</translation>
    </message>
    <message>
        <source>Check that the server uses TLS on this port, and whether it requires a client certificate.</source>
        <translation>请检查服务器在此端口上是否使用 TLS，以及是否需要客户端证书。</translation>
    </message>
    <message>
        <source>To trust exactly this certificate, accept its SHA-256 fingerprint in this server&apos;s network settings, or with --accept-certificate of sonde-cli: %1</source>
        <translation>要恰好信任此证书，请在此服务器的网络设置中接受其 SHA-256 指纹，或使用 sonde-cli 的 --accept-certificate：%1</translation>
    </message>
    <message>
        <source>It is not the certificate that is accepted for this server.</source>
        <translation>它不是此服务器所接受的证书。</translation>
    </message>
    <message>
        <source>its certificate has expired</source>
        <translation>其证书已过期</translation>
    </message>
    <message>
        <source>its certificate is not valid yet</source>
        <translation>其证书尚未生效</translation>
    </message>
    <message>
        <source>its certificate is for another host</source>
        <translation>其证书属于其他主机</translation>
    </message>
    <message>
        <source>its certificate is self-signed</source>
        <translation>其证书是自签名证书</translation>
    </message>
    <message>
        <source>its certificate authority is not trusted by this system</source>
        <translation>其证书颁发机构不受此系统信任</translation>
    </message>
    <message>
        <source>its certificate issuer is unknown</source>
        <translation>其证书颁发者未知</translation>
    </message>
    <message>
        <source>its certificate was revoked</source>
        <translation>其证书已被吊销</translation>
    </message>
    <message>
        <source>Bad Request</source>
        <translation>Bad Request</translation>
    </message>
    <message>
        <source>Unauthorized</source>
        <translation>Unauthorized</translation>
    </message>
    <message>
        <source>Forbidden</source>
        <translation>Forbidden</translation>
    </message>
    <message>
        <source>Not Found</source>
        <translation>Not Found</translation>
    </message>
    <message>
        <source>Method Not Allowed</source>
        <translation>Method Not Allowed</translation>
    </message>
    <message>
        <source>Not Acceptable</source>
        <translation>Not Acceptable</translation>
    </message>
    <message>
        <source>Conflict</source>
        <translation>Conflict</translation>
    </message>
    <message>
        <source>Content Too Large</source>
        <translation>Content Too Large</translation>
    </message>
    <message>
        <source>Unsupported Media Type</source>
        <translation>Unsupported Media Type</translation>
    </message>
    <message>
        <source>Too Many Requests</source>
        <translation>Too Many Requests</translation>
    </message>
    <message>
        <source>Internal Server Error</source>
        <translation>Internal Server Error</translation>
    </message>
    <message>
        <source>Bad Gateway</source>
        <translation>Bad Gateway</translation>
    </message>
    <message>
        <source>Service Unavailable</source>
        <translation>Service Unavailable</translation>
    </message>
    <message>
        <source>Gateway Timeout</source>
        <translation>Gateway Timeout</translation>
    </message>
    <message>
        <source>%1 years</source>
        <translation>%1 年</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 hours</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 minutes</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>The server asks to retry later (Retry-After: %1).</source>
        <translation>服务器要求稍后重试（Retry-After：%1）。</translation>
    </message>
    <message>
        <source>The server asks to retry after %1 seconds (%2).</source>
        <translation>服务器要求在 %1 秒（%2）后重试。</translation>
    </message>
    <message>
        <source>Retry after 1 second.</source>
        <translation>请在 1 秒后重试。</translation>
    </message>
    <message>
        <source>Retry after %1 seconds.</source>
        <translation>请在 %1 秒后重试。</translation>
    </message>
    <message>
        <source>Add them to the system&apos;s proxy settings, as in http_proxy=http://USER:PASSWORD@HOST:PORT.</source>
        <translation>请将它们添加到系统的代理设置中，例如 http_proxy=http://USER:PASSWORD@HOST:PORT。</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name.</source>
        <translation>“%1”不是有效的标头名称。</translation>
    </message>
    <message>
        <source>The value of header “%1” contains a line break or another control character.</source>
        <translation>标头“%1”的值包含换行符或其他控制字符。</translation>
    </message>
    <message>
        <source>The header “%1” is set by Sonde itself.</source>
        <translation>标头“%1”由 Sonde 自身设置。</translation>
    </message>
    <message>
        <source>Remove it from this server&apos;s headers.</source>
        <translation>请将其从此服务器的标头中移除。</translation>
    </message>
    <message>
        <source>“%1” is not a URL.</source>
        <translation>“%1”不是 URL。</translation>
    </message>
    <message>
        <source>A server URL must begin with http:// or https://, not %1:</source>
        <translation>服务器 URL 必须以 http:// 或 https:// 开头，而不是 %1:</translation>
    </message>
    <message>
        <source>The server redirects (HTTP %1) without a Location header.</source>
        <translation>服务器重定向（HTTP %1），但没有 Location 标头。</translation>
    </message>
    <message>
        <source>The server redirects (HTTP %1) to %2, which is not an HTTP address.</source>
        <translation>服务器重定向（HTTP %1）到 %2，它不是 HTTP 地址。</translation>
    </message>
    <message>
        <source>The server redirects to another origin: %1</source>
        <translation>服务器重定向到另一个源：%1</translation>
    </message>
    <message>
        <source>If you trust that address, use it as this server&apos;s URL. Sonde does not follow such redirects, because that would send your headers and the call to it.</source>
        <translation>如果您信任该地址，请将其用作此服务器的 URL。Sonde 不会跟随此类重定向，因为那会将您的标头和调用发送到该地址。</translation>
    </message>
    <message>
        <source>The server redirects with HTTP %1 to %2</source>
        <translation>服务器以 HTTP %1 重定向到 %2</translation>
    </message>
    <message>
        <source>Use that address as this server&apos;s URL. Only 307 and 308 preserve the request.</source>
        <translation>请将该地址用作此服务器的 URL。只有 307 和 308 会保留请求。</translation>
    </message>
    <message>
        <source>Too many redirects, the last one to %1</source>
        <translation>重定向次数过多，最后一次重定向到 %1</translation>
    </message>
    <message>
        <source>Connection refused: nothing is listening on %1.</source>
        <translation>连接被拒绝：%1 上没有任何程序在侦听。</translation>
    </message>
    <message>
        <source>Check that the server is running and that the port is correct.</source>
        <translation>请检查服务器是否正在运行，以及端口是否正确。</translation>
    </message>
    <message>
        <source>Host “%1” not found (DNS).</source>
        <translation>找不到主机“%1”（DNS）。</translation>
    </message>
    <message>
        <source>Check the spelling and the network connection.</source>
        <translation>请检查拼写和网络连接。</translation>
    </message>
    <message>
        <source>%1 does not speak TLS.</source>
        <translation>%1 不使用 TLS。</translation>
    </message>
    <message>
        <source>If this server is meant to be reached without encryption, begin its URL with http://.</source>
        <translation>如果应以不加密方式访问此服务器，请以 http:// 作为其 URL 的开头。</translation>
    </message>
    <message>
        <source>The TLS connection to %1 failed.</source>
        <translation>与 %1 的 TLS 连接失败。</translation>
    </message>
    <message>
        <source>%1 is not trusted (TLS): %2.</source>
        <translation>%1 不受信任（TLS）：%2。</translation>
    </message>
    <message>
        <source>%1 closed the connection before its response was complete.</source>
        <translation>%1 在其响应完成之前关闭了连接。</translation>
    </message>
    <message>
        <source>Servers that require a client certificate do this to clients without one.</source>
        <translation>需要客户端证书的服务器会这样对待没有证书的客户端。</translation>
    </message>
    <message>
        <source>The connection to %1 timed out.</source>
        <translation>与 %1 的连接超时。</translation>
    </message>
    <message>
        <source>Check the address, the network connection and any firewall.</source>
        <translation>请检查地址、网络连接以及防火墙。</translation>
    </message>
    <message>
        <source>The proxy for %1 failed.</source>
        <translation>%1 的代理失败。</translation>
    </message>
    <message>
        <source>Check the proxy in this server&apos;s network settings or in the system&apos;s.</source>
        <translation>请检查此服务器网络设置或系统设置中的代理。</translation>
    </message>
    <message>
        <source>The proxy for %1 requires a user name and password.</source>
        <translation>%1 的代理需要用户名和密码。</translation>
    </message>
    <message>
        <source>The connection to %1 failed.</source>
        <translation>与 %1 的连接失败。</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 %2.</source>
        <translation>服务器返回了 HTTP %1 %2。</translation>
    </message>
    <message>
        <source>The server returned HTTP %1: %2</source>
        <translation>服务器返回了 HTTP %1：%2</translation>
    </message>
    <message>
        <source>Error %1 belongs to revision 2026-07-28.</source>
        <translation>错误 %1 属于修订版 2026-07-28。</translation>
    </message>
    <message>
        <source>It requires authentication: add an Authorization header.</source>
        <translation>需要身份验证：请添加 Authorization 标头。</translation>
    </message>
    <message>
        <source>You are authenticated but not allowed to do this.</source>
        <translation>身份验证已通过，但不允许执行此操作。</translation>
    </message>
    <message>
        <source>A proxy requires a user name and password (HTTP 407).</source>
        <translation>代理需要用户名和密码（HTTP 407）。</translation>
    </message>
    <message>
        <source>Check the path of the URL; many servers use /mcp.</source>
        <translation>请检查 URL 的路径；许多服务器使用 /mcp。</translation>
    </message>
    <message>
        <source>The server may use the older HTTP+SSE transport, or the path is wrong.</source>
        <translation>服务器可能使用较旧的 HTTP+SSE 传输方式，或者路径有误。</translation>
    </message>
    <message>
        <source>This server uses the older HTTP+SSE transport of revision 2024-11-05, not Streamable HTTP.</source>
        <translation>此服务器使用修订版 2024-11-05 的较旧的 HTTP+SSE 传输方式，而不是 Streamable HTTP。</translation>
    </message>
    <message>
        <source>Set the transport of this server to Automatic or HTTP+SSE. If it also offers Streamable HTTP, use that URL; it often ends in /mcp.</source>
        <translation>请将此服务器的传输方式设为“自动”或 HTTP+SSE。如果它也提供 Streamable HTTP，请使用该 URL；它通常以 /mcp 结尾。</translation>
    </message>
    <message>
        <source>a carriage return (CR)</source>
        <translation>回车符（CR）</translation>
    </message>
    <message>
        <source>a line feed (LF)</source>
        <translation>换行符（LF）</translation>
    </message>
    <message>
        <source>a NUL</source>
        <translation>NUL 字符</translation>
    </message>
    <message>
        <source>the control character 0x%1</source>
        <translation>控制字符 0x%1</translation>
    </message>
    <message>
        <source>The value of header “%1” contains %2 at character %3.</source>
        <translation>标头“%1”的值在第 %3 个字符处包含%2。</translation>
    </message>
    <message>
        <source>A header is one line of text; remove that character.</source>
        <translation>标头是一行文本；请删除该字符。</translation>
    </message>
    <message>
        <source>Header %1 has a value but no name.</source>
        <translation>标头 %1 有值但没有名称。</translation>
    </message>
    <message>
        <source>Give it a name, or remove it.</source>
        <translation>请为其指定名称，或将其删除。</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name (header %2).</source>
        <translation>“%1”不是有效的标头名称（标头 %2）。</translation>
    </message>
    <message>
        <source>Use only letters, digits and !#$%&amp;&apos;*+-.^_`|~, without spaces.</source>
        <translation>只能使用字母、数字和 !#$%&amp;&apos;*+-.^_`|~，不能有空格。</translation>
    </message>
    <message>
        <source>Duplicate header “%1” (header %2).</source>
        <translation>标头“%1”重复（标头 %2）。</translation>
    </message>
    <message>
        <source>Each name is sent once. Combine the values, separated by a comma.</source>
        <translation>每个名称只发送一次。请合并各个值，以逗号分隔。</translation>
    </message>
    <message>
        <source>The header “%1” cannot be set; Sonde computes it from the message.</source>
        <translation>无法设置标头“%1”；Sonde 会根据消息计算它。</translation>
    </message>
    <message>
        <source>Remove it; a wrong length would corrupt the next request.</source>
        <translation>请将其删除；错误的长度会破坏下一个请求。</translation>
    </message>
    <message>
        <source>Check this server&apos;s network settings.</source>
        <translation>请检查此服务器的网络设置。</translation>
    </message>
    <message>
        <source>%1 contains no certificate in PEM form.</source>
        <translation>%1 不包含 PEM 格式的证书。</translation>
    </message>
    <message>
        <source>The file must contain a line -----BEGIN CERTIFICATE-----.</source>
        <translation>文件必须包含一行 -----BEGIN CERTIFICATE-----。</translation>
    </message>
    <message>
        <source>The private key in %1 has a passphrase, which is not supported.</source>
        <translation>%1 中的私钥设有密码短语，不支持这种私钥。</translation>
    </message>
    <message>
        <source>Write it without one, with: openssl pkey -in KEY -out NEWKEY</source>
        <translation>请写出不带密码短语的私钥：openssl pkey -in KEY -out NEWKEY</translation>
    </message>
    <message>
        <source>%1 contains no private key in PEM form.</source>
        <translation>%1 不包含 PEM 格式的私钥。</translation>
    </message>
    <message>
        <source>RSA, EC and DSA keys are supported.</source>
        <translation>支持 RSA、EC 和 DSA 密钥。</translation>
    </message>
    <message>
        <source>There is a client key, but no client certificate.</source>
        <translation>有客户端密钥，但没有客户端证书。</translation>
    </message>
    <message>
        <source>“%1” is not a SHA-256 fingerprint.</source>
        <translation>“%1”不是 SHA-256 指纹。</translation>
    </message>
    <message>
        <source>It has 64 hexadecimal digits; colons between them are optional.</source>
        <translation>它有 64 个十六进制数字；其间的冒号可有可无。</translation>
    </message>
    <message>
        <source>“%1” is not a proxy.</source>
        <translation>“%1”不是代理。</translation>
    </message>
    <message>
        <source>Use system, none, http://HOST:PORT or socks5://HOST:PORT.</source>
        <translation>请使用 system、none、http://HOST:PORT 或 socks5://HOST:PORT。</translation>
    </message>
</context>
<context>
    <name>sonde::InputRequest</name>
    <message>
        <source>The result of a server request must be a JSON object.</source>
        <translation>服务器请求的结果必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>The server request is no longer open.</source>
        <translation>该服务器请求已不再待处理。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is an object; forms are flat.</source>
        <translation>&apos;%1&apos; 是对象；表单是扁平的。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a list, which forms of revision %2 do not allow.</source>
        <translation>&apos;%1&apos; 是列表，修订版 %2 的表单不允许列表。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a list of strings.</source>
        <translation>&apos;%1&apos; 必须是字符串列表。</translation>
    </message>
    <message>
        <source>The server asks to open a URL, but the client did not declare elicitation.url.</source>
        <translation>服务器请求打开 URL，但客户端没有声明 elicitation.url。</translation>
    </message>
    <message>
        <source>The server asks to fill in a form, but the client did not declare elicitation.form.</source>
        <translation>服务器请求填写表单，但客户端没有声明 elicitation.form。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must not use tools as user, nor bring their results as assistant.</source>
        <translation>&apos;%1&apos; 不得以 user 身份使用工具，也不得以 assistant 身份带来工具的结果。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; mixes tool results with other content.</source>
        <translation>&apos;%1&apos; 将工具结果与其他内容混在一起。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has results of tools that the previous message did not use.</source>
        <translation>&apos;%1&apos; 包含前一条消息未使用的工具的结果。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must have exactly the results of the tools that the previous message uses.</source>
        <translation>&apos;%1&apos; 必须恰好包含前一条消息所用工具的结果。</translation>
    </message>
    <message>
        <source>The last message uses tools, but their results do not follow.</source>
        <translation>最后一条消息使用了工具，但之后没有其结果。</translation>
    </message>
    <message>
        <source>The server wants tools to be used while sampling, but the client did not declare sampling.tools.</source>
        <translation>服务器要求在 sampling 时使用工具，但客户端没有声明 sampling.tools。</translation>
    </message>
    <message>
        <source>&apos;content&apos; is allowed only with the action accept.</source>
        <translation>&apos;content&apos; 只允许与操作 accept 一起使用。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a URI that begins with file://; it is %2.</source>
        <translation>&apos;%1&apos; 必须是以 file:// 开头的 URI；实际为 %2。</translation>
    </message>
    <message>
        <source>A result must be a JSON object; it is %1.</source>
        <translation>结果必须是 JSON 对象；实际为 %1。</translation>
    </message>
    <message>
        <source>&apos;content&apos; must be one object, not a list, in revision %1.</source>
        <translation>在修订版 %1 中，&apos;content&apos; 必须是一个对象，而不是列表。</translation>
    </message>
    <message>
        <source>&apos;content&apos; uses a tool; the request offers none.</source>
        <translation>&apos;content&apos; 使用了工具；请求没有提供工具。</translation>
    </message>
    <message>
        <source>&apos;content.%1&apos; must not be a list in revision %2.</source>
        <translation>在修订版 %2 中，&apos;content.%1&apos; 不得为列表。</translation>
    </message>
    <message>
        <source>URL elicitation: the response must not have &apos;content&apos;.</source>
        <translation>URL elicitation：响应不得包含 &apos;content&apos;。</translation>
    </message>
    <message>
        <source>Form elicitation: the response must have &apos;content&apos;.</source>
        <translation>表单 elicitation：响应必须包含 &apos;content&apos;。</translation>
    </message>
    <message>
        <source>&apos;content%1&apos; does not match the requestedSchema: %2.</source>
        <translation>&apos;content%1&apos; 与 requestedSchema 不匹配：%2。</translation>
    </message>
</context>
<context>
    <name>sonde::ListenStream</name>
    <message>
        <source>The server did not acknowledge the subscription within %1 s.</source>
        <translation>服务器在 %1 秒内没有确认订阅。</translation>
    </message>
    <message>
        <source>In the acknowledgement, %1</source>
        <translation>在确认中，%1</translation>
    </message>
    <message>
        <source>an update of %1</source>
        <translation>%1 的更新</translation>
    </message>
    <message>
        <source>The server sent %1 before it acknowledged the subscription.</source>
        <translation>服务器在确认订阅之前发送了 %1。</translation>
    </message>
    <message>
        <source>The server sent %1, which it had not acknowledged.</source>
        <translation>服务器发送了 %1，但没有确认过它。</translation>
    </message>
    <message>
        <source>The server acknowledged this subscription twice.</source>
        <translation>服务器对此订阅确认了两次。</translation>
    </message>
    <message>
        <source>The server acknowledged more than was requested.</source>
        <translation>服务器确认的内容多于请求的内容。</translation>
    </message>
</context>
<context>
    <name>sonde::LoginShell</name>
    <message>
        <source>The login shell %1 did not report its PATH.</source>
        <translation>登录 shell %1 没有报告其 PATH。</translation>
    </message>
    <message>
        <source>Add the folder to PATH in this server&apos;s environment instead.</source>
        <translation>请改为在此服务器的环境中将该文件夹添加到 PATH。</translation>
    </message>
</context>
<context>
    <name>sonde::Message</name>
    <message>
        <source>&apos;error&apos; is not an object.</source>
        <translation>&apos;error&apos; 不是对象。</translation>
    </message>
    <message>
        <source>&apos;code&apos; is missing in &apos;error&apos;.</source>
        <translation>&apos;error&apos; 中缺少 &apos;code&apos;。</translation>
    </message>
    <message>
        <source>&apos;code&apos; in &apos;error&apos; is not an integer.</source>
        <translation>&apos;error&apos; 中的 &apos;code&apos; 不是整数。</translation>
    </message>
    <message>
        <source>&apos;message&apos; is missing in &apos;error&apos;.</source>
        <translation>&apos;error&apos; 中缺少 &apos;message&apos;。</translation>
    </message>
    <message>
        <source>&apos;message&apos; in &apos;error&apos; is not a string.</source>
        <translation>&apos;error&apos; 中的 &apos;message&apos; 不是字符串。</translation>
    </message>
    <message>
        <source>&apos;id&apos; is null and cannot be matched to a request.</source>
        <translation>&apos;id&apos; 为 null，无法与请求匹配。</translation>
    </message>
    <message>
        <source>&apos;id&apos; is neither an integer nor a string.</source>
        <translation>&apos;id&apos; 既不是整数，也不是字符串。</translation>
    </message>
    <message>
        <source>&apos;id&apos; is not written as an integer: %1.</source>
        <translation>&apos;id&apos; 没有写为整数：%1。</translation>
    </message>
    <message>
        <source>The error has no &apos;code&apos;.</source>
        <translation>错误没有 &apos;code&apos;。</translation>
    </message>
    <message>
        <source>The error&apos;s &apos;code&apos; is not an integer: %1</source>
        <translation>错误的 &apos;code&apos; 不是整数：%1</translation>
    </message>
    <message>
        <source>The error&apos;s &apos;code&apos; is out of range: %1</source>
        <translation>错误的 &apos;code&apos; 超出范围：%1</translation>
    </message>
    <message>
        <source>Not JSON, at byte %1: %2</source>
        <translation>不是 JSON，位于字节 %1：%2</translation>
    </message>
    <message>
        <source>JSON, but neither an object nor an array.</source>
        <translation>是 JSON，但既不是对象，也不是数组。</translation>
    </message>
    <message>
        <source>An empty array is not a batch.</source>
        <translation>空数组不是批量。</translation>
    </message>
    <message>
        <source>No element of this array is a JSON-RPC message.</source>
        <translation>此数组中没有元素是 JSON-RPC 消息。</translation>
    </message>
    <message>
        <source>&apos;jsonrpc&apos; is missing.</source>
        <translation>缺少 &apos;jsonrpc&apos;。</translation>
    </message>
    <message>
        <source>&apos;jsonrpc&apos; is not &quot;2.0&quot;.</source>
        <translation>&apos;jsonrpc&apos; 不是 &quot;2.0&quot;。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; occurs more than once; the last one counts.</source>
        <translation>&apos;%1&apos; 出现多次；以最后一个为准。</translation>
    </message>
    <message>
        <source>None of &apos;method&apos;, &apos;result&apos; and &apos;error&apos; is present.</source>
        <translation>&apos;method&apos;、&apos;result&apos; 和 &apos;error&apos; 均不存在。</translation>
    </message>
    <message>
        <source>&apos;method&apos; is not a string.</source>
        <translation>&apos;method&apos; 不是字符串。</translation>
    </message>
    <message>
        <source>&apos;params&apos; is an array; MCP allows objects only.</source>
        <translation>&apos;params&apos; 是数组；MCP 只允许对象。</translation>
    </message>
    <message>
        <source>&apos;params&apos; is not an object.</source>
        <translation>&apos;params&apos; 不是对象。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not allowed together with &apos;method&apos;.</source>
        <translation>&apos;%1&apos; 不允许与 &apos;method&apos; 同时出现。</translation>
    </message>
    <message>
        <source>Both &apos;result&apos; and &apos;error&apos; are present.</source>
        <translation>&apos;result&apos; 和 &apos;error&apos; 同时存在。</translation>
    </message>
    <message>
        <source>&apos;id&apos; is missing.</source>
        <translation>缺少 &apos;id&apos;。</translation>
    </message>
    <message>
        <source>&apos;result&apos; is not an object.</source>
        <translation>&apos;result&apos; 不是对象。</translation>
    </message>
    <message>
        <source>&apos;params&apos; is not allowed in a response.</source>
        <translation>响应中不允许 &apos;params&apos;。</translation>
    </message>
    <message>
        <source>The server returned an error without a message.</source>
        <translation>服务器返回了没有消息的错误。</translation>
    </message>
    <message>
        <source>Nested deeper than %1 levels, the limit of Sonde. The message is not read.</source>
        <translation>嵌套深度超过 Sonde 的上限 %1 层。不读取此消息。</translation>
    </message>
</context>
<context>
    <name>sonde::MessageReader</name>
    <message>
        <source>A response of %1 or more exceeds the limit of %2.</source>
        <translation>大小为 %1 或更大的响应超出了 %2 的限制。</translation>
    </message>
    <message>
        <source>Ask for less at once, such as a page or a part.</source>
        <translation>请一次请求较少的内容，例如一页或一部分。</translation>
    </message>
    <message>
        <source>The server returned an empty body.</source>
        <translation>服务器返回了空正文。</translation>
    </message>
</context>
<context>
    <name>sonde::MessageRules</name>
    <message>
        <source>&apos;%1&apos; must be %2; it is %3.</source>
        <translation>&apos;%1&apos; 必须是%2；实际为 %3。</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>不小于 %1 的值</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>介于 %1 和 %2 之间的值</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be an object; it is %2.</source>
        <translation>&apos;%1&apos; 必须是对象；实际为 %2。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing.</source>
        <translation>缺少 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be an array; it is %2.</source>
        <translation>&apos;%1&apos; 必须是数组；实际为 %2。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 items; at most %3 are allowed.</source>
        <translation>&apos;%1&apos; 有 %2 项；最多允许 %3 项。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing; it must be %2.</source>
        <translation>缺少 &apos;%1&apos;；它必须是%2。</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>a boolean</source>
        <translation>布尔值</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>a string that is not empty</source>
        <translation>非空字符串</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a string or an integer</source>
        <translation>字符串或整数</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>Servers do not send %1 in revision %2.</source>
        <translation>在修订版 %2 中，服务器不发送 %1。</translation>
    </message>
    <message>
        <source>Clients do not send %1 in revision %2.</source>
        <translation>在修订版 %2 中，客户端不发送 %1。</translation>
    </message>
    <message>
        <source>Revision %1 has no %2.</source>
        <translation>修订版 %1 没有 %2。</translation>
    </message>
    <message>
        <source>%1 is a request and needs an &apos;id&apos;.</source>
        <translation>%1 是请求，需要 &apos;id&apos;。</translation>
    </message>
    <message>
        <source>%1 is a notification and must not have an &apos;id&apos;.</source>
        <translation>%1 是通知，不得有 &apos;id&apos;。</translation>
    </message>
    <message>
        <source>&apos;params&apos; is missing.</source>
        <translation>缺少 &apos;params&apos;。</translation>
    </message>
    <message>
        <source>&apos;error.data&apos; is missing.</source>
        <translation>缺少 &apos;error.data&apos;。</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>The client did not declare &apos;%1&apos;.</source>
        <translation>客户端没有声明 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>Revision %1 has no such request, and the client declared no extension.</source>
        <translation>修订版 %1 没有此请求，且客户端没有声明扩展。</translation>
    </message>
    <message>
        <source>Before notifications/initialized a server may send no request but ping.</source>
        <translation>在 notifications/initialized 之前，服务器除 ping 外不得发送任何请求。</translation>
    </message>
</context>
<context>
    <name>sonde::MockServer</name>
    <message>
        <source>The session does not contain a completed handshake.</source>
        <translation>会话不包含已完成的握手。</translation>
    </message>
    <message>
        <source>Not a single JSON-RPC request: %1</source>
        <translation>不是单个 JSON-RPC 请求：%1</translation>
    </message>
    <message>
        <source>The session contains no response to %1 with these params.</source>
        <translation>会话不包含对具有这些 params 的 %1 的响应。</translation>
    </message>
    <message>
        <source>The session contains no %1 request.</source>
        <translation>会话不包含 %1 请求。</translation>
    </message>
</context>
<context>
    <name>sonde::OAuth</name>
    <message>
        <source>%1 needs the scope %2.</source>
        <translation>%1 需要作用域 %2。</translation>
    </message>
    <message>
        <source>%1 needs the scopes %2.</source>
        <translation>%1 需要作用域 %2。</translation>
    </message>
    <message>
        <source>The server says: “%1”</source>
        <translation>服务器称：“%1”</translation>
    </message>
    <message>
        <source>No sign-in is in progress.</source>
        <translation>没有正在进行的登录。</translation>
    </message>
    <message>
        <source>The server&apos;s metadata URL is on another origin that is neither https nor on this computer: %1</source>
        <translation>服务器的元数据 URL 位于另一个源，它既不是 https，也不在此计算机上：%1</translation>
    </message>
    <message>
        <source>The server&apos;s operator has to publish it at an https URL, or on the server&apos;s own origin.</source>
        <translation>服务器的运营方必须在 https URL 或服务器自己的源上发布它。</translation>
    </message>
    <message>
        <source>The server refuses the token because of its scopes, but does not name the missing one.</source>
        <translation>服务器因作用域拒绝了令牌，但没有指明缺少的作用域。</translation>
    </message>
    <message>
        <source>The server requires the scope %1, although the token has it.</source>
        <translation>服务器需要作用域 %1，而令牌已具有该作用域。</translation>
    </message>
    <message>
        <source>The server requires the scopes %1, although the token has them.</source>
        <translation>服务器需要作用域 %1，而令牌已具有这些作用域。</translation>
    </message>
    <message>
        <source>The server requires the scope %1, which the token lacks.</source>
        <translation>服务器需要作用域 %1，而令牌没有该作用域。</translation>
    </message>
    <message>
        <source>The server requires the scopes %1, which the token lacks.</source>
        <translation>服务器需要作用域 %1，而令牌没有这些作用域。</translation>
    </message>
    <message>
        <source>It says: %1</source>
        <translation>它称：%1</translation>
    </message>
    <message>
        <source>Compare the scopes that the server requires with those that %1 grants.</source>
        <translation>请将服务器需要的作用域与 %1 授予的作用域进行比较。</translation>
    </message>
    <message>
        <source>%1 did not grant it. Only the operator of that authorization server can change this.</source>
        <translation>%1 没有授予它。只有该授权服务器的运营方可以更改这一点。</translation>
    </message>
    <message>
        <source>Run sonde-cli login to sign in with the scopes %1.</source>
        <translation>请运行 sonde-cli login，以作用域 %1 登录。</translation>
    </message>
    <message>
        <source>The server refuses the token that %1 has just issued for it (HTTP %2).</source>
        <translation>服务器拒绝了 %1 刚刚为其颁发的令牌（HTTP %2）。</translation>
    </message>
    <message>
        <source>Compare the issuer, audience and scopes of the token with those that the server expects. The server&apos;s operator has to correct the one that differs.</source>
        <translation>请将令牌的颁发者、受众和作用域与服务器期望的进行比较。服务器的运营方必须更正不一致的一项。</translation>
    </message>
    <message>
        <source>Scopes granted before are still valid. Try again to get more.</source>
        <translation>先前授予的作用域仍然有效。请重试以获得更多作用域。</translation>
    </message>
    <message>
        <source>Not removed: %1</source>
        <translation>未移除：%1</translation>
    </message>
    <message>
        <source>The tokens were removed</source>
        <translation>令牌已移除</translation>
    </message>
    <message>
        <source>The sign-in was cancelled.</source>
        <translation>登录已取消。</translation>
    </message>
</context>
<context>
    <name>sonde::Operations</name>
    <message>
        <source>Matched to the call by request ID.</source>
        <translation>按请求 ID 匹配到调用。</translation>
    </message>
    <message>
        <source>Matched to the call by progress token.</source>
        <translation>按进度令牌匹配到调用。</translation>
    </message>
    <message>
        <source>Matched to the call by HTTP stream.</source>
        <translation>按 HTTP 流匹配到调用。</translation>
    </message>
    <message>
        <source>Matched to the call by task ID.</source>
        <translation>按任务 ID 匹配到调用。</translation>
    </message>
    <message>
        <source>Matched to the call by the returned request state.</source>
        <translation>按返回的请求状态匹配到调用。</translation>
    </message>
    <message>
        <source>Matched to the only call with these arguments that was waiting for input.</source>
        <translation>匹配到唯一一个具有这些参数且正在等待输入的调用。</translation>
    </message>
    <message>
        <source>Matched to the subscription by ID.</source>
        <translation>按 ID 匹配到订阅。</translation>
    </message>
    <message>
        <source>Matched to the call by elicitation ID.</source>
        <translation>按 elicitation ID 匹配到调用。</translation>
    </message>
    <message>
        <source>Assumed to belong to this call; no other call was open.</source>
        <translation>假定属于此调用；当时没有其他未完成的调用。</translation>
    </message>
    <message>
        <source>Ambiguous: several calls were open.</source>
        <translation>有歧义：当时有多个未完成的调用。</translation>
    </message>
    <message>
        <source>Ambiguous: several open calls used the same progress token.</source>
        <translation>有歧义：多个未完成的调用使用了相同的进度令牌。</translation>
    </message>
    <message>
        <source>Ambiguous: several tasks have the same ID.</source>
        <translation>有歧义：多个任务具有相同的 ID。</translation>
    </message>
    <message>
        <source>Ambiguous: several calls were waiting for the same input.</source>
        <translation>有歧义：多个调用在等待相同的输入。</translation>
    </message>
    <message>
        <source>Ambiguous: several open calls have an elicitation with this ID.</source>
        <translation>有歧义：多个未完成的调用具有此 ID 的 elicitation。</translation>
    </message>
    <message>
        <source>No call used this progress token.</source>
        <translation>没有调用使用此进度令牌。</translation>
    </message>
    <message>
        <source>No call has a task with this ID.</source>
        <translation>没有调用具有此 ID 的任务。</translation>
    </message>
    <message>
        <source>No call was waiting for this input.</source>
        <translation>没有调用在等待此输入。</translation>
    </message>
    <message>
        <source>No call has an elicitation with this ID.</source>
        <translation>没有调用具有此 ID 的 elicitation。</translation>
    </message>
    <message>
        <source>No matching request found.</source>
        <translation>未找到匹配的请求。</translation>
    </message>
    <message>
        <source>Received on an HTTP stream that belongs to no call.</source>
        <translation>在不属于任何调用的 HTTP 流上收到。</translation>
    </message>
    <message>
        <source>No call was open.</source>
        <translation>当时没有未完成的调用。</translation>
    </message>
    <message>
        <source>The batch contains messages of several calls or of none; it is not assigned to a call.</source>
        <translation>该批量包含多个调用的消息，或不属于任何调用的消息；未将其归入某个调用。</translation>
    </message>
</context>
<context>
    <name>sonde::PagedFetch</name>
    <message>
        <source>The connection was closed.</source>
        <translation>连接已关闭。</translation>
    </message>
    <message>
        <source>The server refused the cursor of page %1 (-32602): %2</source>
        <translation>服务器拒绝了第 %1 页的游标（-32602）：%2</translation>
    </message>
    <message>
        <source>The list may have changed. Refresh it to start again from the first page.</source>
        <translation>列表可能已更改。请刷新列表以从第一页重新开始。</translation>
    </message>
    <message>
        <source>Page %1: %2</source>
        <translation>第 %1 页：%2</translation>
    </message>
    <message>
        <source>&apos;nextCursor&apos; is not a string; the list may be incomplete.</source>
        <translation>&apos;nextCursor&apos; 不是字符串；列表可能不完整。</translation>
    </message>
    <message>
        <source>The server repeated the cursor &apos;%1&apos;; the list was ended (pages loaded: %2).</source>
        <translation>服务器重复了游标 &apos;%1&apos;；列表已结束（已加载的页数：%2）。</translation>
    </message>
    <message>
        <source>The list was ended at the limit of %1 pages; the server has more.</source>
        <translation>列表在 %1 页的限制处结束；服务器上还有更多。</translation>
    </message>
</context>
<context>
    <name>sonde::PostStream</name>
    <message>
        <source>The response does not match this request.</source>
        <translation>响应与此请求不匹配。</translation>
    </message>
    <message>
        <source>The response stream was lost, and the server refuses to resume it (HTTP %1).</source>
        <translation>响应流已丢失，且服务器拒绝恢复（HTTP %1）。</translation>
    </message>
    <message>
        <source>The response stream was lost, and 1 attempt to resume it failed.</source>
        <translation>响应流已丢失，1 次恢复尝试失败。</translation>
    </message>
    <message>
        <source>The response stream was lost, and %1 attempts to resume it failed.</source>
        <translation>响应流已丢失，%1 次恢复尝试均失败。</translation>
    </message>
    <message>
        <source>The server ended the stream without a response to the request.</source>
        <translation>服务器结束了流，但没有对请求作出响应。</translation>
    </message>
</context>
<context>
    <name>sonde::ProcessExamination</name>
    <message>
        <source>1 program without arguments</source>
        <translation>1 个程序，没有参数</translation>
    </message>
    <message>
        <source>1 program, 1 argument</source>
        <translation>1 个程序，1 个参数</translation>
    </message>
    <message>
        <source>1 program, %1 arguments</source>
        <translation>1 个程序，%1 个参数</translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>is not a directory</source>
        <translation>不是目录</translation>
    </message>
    <message>
        <source>cannot be entered: %1</source>
        <translation>无法进入：%1</translation>
    </message>
    <message>
        <source>found in the login shell&apos;s PATH</source>
        <translation>在登录 shell 的 PATH 中找到</translation>
    </message>
    <message>
        <source>found</source>
        <translation>已找到</translation>
    </message>
    <message>
        <source>%1 is a directory</source>
        <translation>%1 是目录</translation>
    </message>
    <message>
        <source>%1 is not executable</source>
        <translation>%1 不可执行</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 不存在</translation>
    </message>
    <message>
        <source>not found in 1 directory</source>
        <translation>在 1 个目录中未找到</translation>
    </message>
    <message>
        <source>not found in %1 directories</source>
        <translation>在 %1 个目录中未找到</translation>
    </message>
    <message>
        <source>Asking your login shell for its PATH…</source>
        <translation>正在向登录 shell 查询其 PATH…</translation>
    </message>
    <message>
        <source>Your login shell does not find it either.</source>
        <translation>您的登录 shell 也找不到它。</translation>
    </message>
    <message>
        <source>Your login shell finds it: %1</source>
        <translation>您的登录 shell 找到了它：%1</translation>
    </message>
    <message>
        <source>the first line of the script names no interpreter</source>
        <translation>脚本的首行没有指明解释器</translation>
    </message>
    <message>
        <source>the first line of the script ends with a carriage return (Windows line ends)</source>
        <translation>脚本的首行以回车符结尾（Windows 行尾）</translation>
    </message>
    <message>
        <source>the script wants “%1”, which is not a full path</source>
        <translation>脚本需要“%1”，它不是完整路径</translation>
    </message>
    <message>
        <source>Write “#!/usr/bin/env %1”.</source>
        <translation>请写为“#!/usr/bin/env %1”。</translation>
    </message>
    <message>
        <source>env looks for a program with the name “%1”</source>
        <translation>env 查找名为“%1”的程序</translation>
    </message>
    <message>
        <source>Write “#!/usr/bin/env -S %1”.</source>
        <translation>请写为“#!/usr/bin/env -S %1”。</translation>
    </message>
    <message>
        <source>the script wants “%1”, which is not in PATH</source>
        <translation>脚本需要“%1”，它不在 PATH 中</translation>
    </message>
    <message>
        <source>the script wants %1, which cannot be run</source>
        <translation>脚本需要 %1，它无法运行</translation>
    </message>
    <message>
        <source>native program</source>
        <translation>本机程序</translation>
    </message>
    <message>
        <source>asking %1 for its version…</source>
        <translation>正在查询 %1 的版本…</translation>
    </message>
    <message>
        <source>%1 did not report its version (exit code %2)</source>
        <translation>%1 没有报告其版本（退出代码 %2）</translation>
    </message>
    <message>
        <source>%1 %2 is too old for this program</source>
        <translation>%1 %2 对此程序来说过旧</translation>
    </message>
    <message>
        <source>Install %1 or later, or give the full path of a newer one in the command.</source>
        <translation>请安装 %1 或更高版本，或在命令中给出较新版本的完整路径。</translation>
    </message>
    <message>
        <source>%1 %2; the official SDK needs %3 or later</source>
        <translation>%1 %2；官方 SDK 需要 %3 或更高版本</translation>
    </message>
    <message>
        <source>terminated by %1 (%2)</source>
        <translation>被 %1（%2）终止</translation>
    </message>
    <message>
        <source>exited with code %1 before the handshake</source>
        <translation>在握手之前退出，代码为 %1</translation>
    </message>
    <message>
        <source>process %1 is running</source>
        <translation>进程 %1 正在运行</translation>
    </message>
    <message>
        <source>the process ran</source>
        <translation>进程曾运行</translation>
    </message>
    <message>
        <source>no message on standard output</source>
        <translation>标准输出上没有消息</translation>
    </message>
    <message>
        <source>1 message on standard output</source>
        <translation>标准输出上有 1 条消息</translation>
    </message>
    <message>
        <source>%1 messages on standard output</source>
        <translation>标准输出上有 %1 条消息</translation>
    </message>
    <message>
        <source>1 line that is not a message</source>
        <translation>1 行不是消息</translation>
    </message>
    <message>
        <source>%1 lines that are not messages</source>
        <translation>%1 行不是消息</translation>
    </message>
    <message>
        <source>nothing on standard error</source>
        <translation>标准错误上没有内容</translation>
    </message>
    <message>
        <source>1 line on standard error</source>
        <translation>标准错误上有 1 行</translation>
    </message>
    <message>
        <source>%1 lines on standard error</source>
        <translation>标准错误上有 %1 行</translation>
    </message>
    <message>
        <source>It reports that it listens at %1, so it may use HTTP rather than stdio. Start it yourself and add that URL as a server, or add the argument that makes it use stdio.</source>
        <translation>它报告在 %1 侦听，因此可能使用 HTTP 而不是 stdio。请自行启动它并将该 URL 添加为服务器，或添加使其使用 stdio 的参数。</translation>
    </message>
    <message>
        <source>terminated by %1 (%2) after the handshake</source>
        <translation>握手后被 %1（%2）终止</translation>
    </message>
    <message>
        <source>exited with code %1 after the handshake</source>
        <translation>握手后以代码 %1 退出</translation>
    </message>
</context>
<context>
    <name>sonde::Protocol</name>
    <message>
        <source>&apos;%1&apos;</source>
        <translation>&apos;%1&apos;</translation>
    </message>
    <message>
        <source>byte 0x%1</source>
        <translation>字节 0x%1</translation>
    </message>
    <message>
        <source>The data is not a string.</source>
        <translation>数据不是字符串。</translation>
    </message>
    <message>
        <source>The data is missing.</source>
        <translation>数据缺失。</translation>
    </message>
    <message>
        <source>Character %1 (%2) is not valid base64.</source>
        <translation>第 %1 个字符（%2）不是有效的 base64。</translation>
    </message>
    <message>
        <source>Character %1 (%2) belongs to the base64url alphabet.</source>
        <translation>第 %1 个字符（%2）属于 base64url 字母表。</translation>
    </message>
    <message>
        <source>Data after the padding, at character %1.</source>
        <translation>填充之后有数据，位于第 %1 个字符。</translation>
    </message>
    <message>
        <source>The data ends in the middle of a byte; it may be truncated.</source>
        <translation>数据在字节中间结束；可能已被截断。</translation>
    </message>
    <message>
        <source>Incorrect &apos;=&apos; padding.</source>
        <translation>&apos;=&apos; 填充不正确。</translation>
    </message>
    <message>
        <source>The last character has unused bits that are not zero.</source>
        <translation>最后一个字符含有不为零的未使用位。</translation>
    </message>
    <message>
        <source>The server sent no URL.</source>
        <translation>服务器没有发送 URL。</translation>
    </message>
    <message>
        <source>Not opened: the URL is longer than %1 characters.</source>
        <translation>未打开：URL 超过 %1 个字符。</translation>
    </message>
    <message>
        <source>Not opened: the URL contains spaces, backslashes or invisible characters.</source>
        <translation>未打开：URL 包含空格、反斜杠或不可见字符。</translation>
    </message>
    <message>
        <source>Not opened: this is not a valid URL.</source>
        <translation>未打开：这不是有效的 URL。</translation>
    </message>
    <message>
        <source>Not opened: the scheme “%1” is not https.</source>
        <translation>未打开：方案“%1”不是 https。</translation>
    </message>
    <message>
        <source>Not opened: the URL has no host.</source>
        <translation>未打开：URL 没有主机。</translation>
    </message>
    <message>
        <source>Not opened: http is allowed to this computer only; others need https.</source>
        <translation>未打开：http 只允许用于此计算机；其他计算机需要 https。</translation>
    </message>
    <message>
        <source>Not opened: the text before “@” is a user name; the host is %1.</source>
        <translation>未打开：“@”之前的文本是用户名；主机是 %1。</translation>
    </message>
    <message>
        <source>Not opened: the host mixes letters of different alphabets that look alike.</source>
        <translation>未打开：主机混用了不同字母表中外观相似的字母。</translation>
    </message>
    <message>
        <source>The host is an internationalized name (%1). It may look like another one.</source>
        <translation>主机是国际化域名（%1）。它可能看起来像另一个主机。</translation>
    </message>
    <message>
        <source>The host is an IP address.</source>
        <translation>主机是 IP 地址。</translation>
    </message>
    <message>
        <source>Unusual port: %1.</source>
        <translation>不常见的端口：%1。</translation>
    </message>
    <message>
        <source>The URL is unusually long.</source>
        <translation>URL 异常长。</translation>
    </message>
    <message>
        <source>Out of memory for a message of %1.</source>
        <translation>内存不足，无法处理 %1 的消息。</translation>
    </message>
    <message>
        <source>Request less data at once, or close other sessions and programs.</source>
        <translation>请一次请求较少的数据，或关闭其他会话和程序。</translation>
    </message>
    <message>
        <source>Parse error: the receiver could not read the message as JSON.</source>
        <translation>解析错误：接收方无法将消息读取为 JSON。</translation>
    </message>
    <message>
        <source>Invalid request: the message is not a valid JSON-RPC request, or not allowed now.</source>
        <translation>无效请求：消息不是有效的 JSON-RPC 请求，或当前不允许。</translation>
    </message>
    <message>
        <source>Method not found: the receiver does not implement this method.</source>
        <translation>找不到方法：接收方没有实现此方法。</translation>
    </message>
    <message>
        <source>Invalid params: the receiver rejected the parameters.</source>
        <translation>无效参数：接收方拒绝了参数。</translation>
    </message>
    <message>
        <source>Internal error: the receiver failed while handling the request.</source>
        <translation>内部错误：接收方在处理请求时失败。</translation>
    </message>
    <message>
        <source>Resource not found.</source>
        <translation>找不到资源。</translation>
    </message>
    <message>
        <source>URL elicitation required: the server requires the user to open a URL first.</source>
        <translation>需要 URL elicitation：服务器要求用户先打开 URL。</translation>
    </message>
    <message>
        <source>Header mismatch: a server of revision 2026-07-28 or later requires HTTP headers that match the message.</source>
        <translation>标头不匹配：修订版 2026-07-28 或更高版本的服务器要求 HTTP 标头与消息匹配。</translation>
    </message>
    <message>
        <source>The server requires a capability that the client did not declare.</source>
        <translation>服务器需要客户端未声明的能力。</translation>
    </message>
    <message>
        <source>Unsupported protocol revision.</source>
        <translation>不支持的协议修订版。</translation>
    </message>
    <message>
        <source>Server-defined error.</source>
        <translation>服务器定义的错误。</translation>
    </message>
    <message>
        <source>Reserved error code.</source>
        <translation>保留的错误代码。</translation>
    </message>
    <message>
        <source>the schema&apos;s root</source>
        <translation>Schema 的根</translation>
    </message>
    <message>
        <source>The x-mcp-header of %1 is not a name for an HTTP header: %2</source>
        <translation>%1 的 x-mcp-header 不是 HTTP 标头的名称：%2</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” (%2) is not on a property that every call can have.</source>
        <translation>x-mcp-header“%1”（%2）所在的属性并非每个调用都能具有。</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” (%2) is on a property that is not a string, an integer or a boolean.</source>
        <translation>x-mcp-header“%1”（%2）所在的属性不是字符串、整数或布尔值。</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” is used more than once.</source>
        <translation>x-mcp-header“%1”被使用了多次。</translation>
    </message>
    <message>
        <source>Invalid URI template at character %1: %2</source>
        <translation>无效的 URI 模板，位于第 %1 个字符：%2</translation>
    </message>
    <message>
        <source>the operator “%1” is reserved.</source>
        <translation>运算符“%1”是保留的。</translation>
    </message>
    <message>
        <source>the expression is not closed.</source>
        <translation>表达式未闭合。</translation>
    </message>
    <message>
        <source>unexpected “%1”.</source>
        <translation>意外的“%1”。</translation>
    </message>
    <message>
        <source>the prefix length must be from 1 to 9999.</source>
        <translation>前缀长度必须在 1 到 9999 之间。</translation>
    </message>
    <message>
        <source>unmatched “}”.</source>
        <translation>不匹配的“}”。</translation>
    </message>
    <message>
        <source>“%1:%2” takes a prefix of a string, but the value is a list.</source>
        <translation>“%1:%2”取字符串的前缀，但值是列表。</translation>
    </message>
    <message>
        <source>‹empty›</source>
        <translation>‹空›</translation>
    </message>
    <message>
        <source>‹%1 spaces›</source>
        <translation>‹%1 个空格›</translation>
    </message>
    <message>
        <source>The address points to this computer.</source>
        <translation>该地址指向此计算机。</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayJudge</name>
    <message>
        <source>A result before, a JSON-RPC error after.</source>
        <translation>之前是结果，之后是 JSON-RPC 错误。</translation>
    </message>
    <message>
        <source>A JSON-RPC error before, a result after.</source>
        <translation>之前是 JSON-RPC 错误，之后是结果。</translation>
    </message>
    <message>
        <source>A different JSON-RPC error.</source>
        <translation>不同的 JSON-RPC 错误。</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayRules</name>
    <message>
        <source>&apos;%1&apos; is not a JSON pointer: it must begin with /</source>
        <translation>&apos;%1&apos; 不是 JSON 指针：它必须以 / 开头</translation>
    </message>
    <message>
        <source>a rule needs a pointer, a pattern or a regex</source>
        <translation>规则需要 pointer、pattern 或 regex</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a valid regular expression: %2, at character %3</source>
        <translation>&apos;%1&apos; 不是有效的正则表达式：%2，位于第 %3 个字符</translation>
    </message>
    <message>
        <source>the regex is empty</source>
        <translation>regex 为空</translation>
    </message>
    <message>
        <source>a rule is not a JSON object</source>
        <translation>规则不是 JSON 对象</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a string</source>
        <translation>&apos;%1&apos; 不是字符串</translation>
    </message>
    <message>
        <source>a rule can have either a pattern or a regex</source>
        <translation>规则只能有 pattern 或 regex 之一</translation>
    </message>
    <message>
        <source>unknown pattern &apos;%1&apos;; patterns are timestamp and uuid</source>
        <translation>未知的 pattern &apos;%1&apos;；可用的 pattern 为 timestamp 和 uuid</translation>
    </message>
    <message>
        <source>unknown member &apos;%1&apos; in a rule</source>
        <translation>规则中有未知的成员 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>%1 is not JSON: %2</source>
        <translation>%1 不是 JSON：%2</translation>
    </message>
    <message>
        <source>%1 contains no rules: expected an object with a list &apos;ignore&apos;</source>
        <translation>%1 不包含规则：应为带有列表 &apos;ignore&apos; 的对象</translation>
    </message>
    <message>
        <source>the rules are not a list</source>
        <translation>规则不是列表</translation>
    </message>
    <message>
        <source>rule %1: %2</source>
        <translation>规则 %1：%2</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayRun</name>
    <message>
        <source>The session is damaged at byte %1: %2 The readable part is replayed.</source>
        <translation>会话在字节 %1 处损坏：%2 将回放可读取的部分。</translation>
    </message>
    <message>
        <source>There is not enough memory to read the recording.</source>
        <translation>内存不足，无法读取录制内容。</translation>
    </message>
    <message>
        <source>The server closed the connection.</source>
        <translation>服务器关闭了连接。</translation>
    </message>
    <message>
        <source>The replay was stopped before it started.</source>
        <translation>回放在开始之前已停止。</translation>
    </message>
    <message>
        <source>The new responses are accepted as the baseline.</source>
        <translation>新响应已接受为基线。</translation>
    </message>
    <message>
        <source>The replay has not finished.</source>
        <translation>回放尚未完成。</translation>
    </message>
    <message>
        <source>No calls were made.</source>
        <translation>没有进行任何调用。</translation>
    </message>
    <message>
        <source>The session is damaged; the unreadable part would be lost.</source>
        <translation>会话已损坏；无法读取的部分会丢失。</translation>
    </message>
    <message>
        <source>Only some of the calls were made; a baseline needs all of them.</source>
        <translation>只进行了部分调用；基线需要全部调用。</translation>
    </message>
    <message>
        <source>%1 records of this run were not stored. A session of no more than %2 bytes is recorded now.</source>
        <translation>此次运行有 %1 条记录未存储。目前录制的会话不超过 %2 字节。</translation>
    </message>
    <message>
        <source>Not every call with a recorded response got a response now.</source>
        <translation>并非每个具有录制响应的调用现在都得到了响应。</translation>
    </message>
    <message>
        <source>The session is still being recorded; only a finished session can be replaced.</source>
        <translation>会话仍在录制中；只有已结束的会话可以替换。</translation>
    </message>
    <message>
        <source>The new responses could not be recorded.</source>
        <translation>无法录制新响应。</translation>
    </message>
    <message>
        <source>The server is still shutting down.</source>
        <translation>服务器仍在关闭中。</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>内存不足。</translation>
    </message>
</context>
<context>
    <name>sonde::Replayer</name>
    <message>
        <source>Not sent: the server did not start. %1</source>
        <translation>未发送：服务器未启动。%1</translation>
    </message>
    <message>
        <source>Not sent: the server could not be reached. %1</source>
        <translation>未发送：无法连接到服务器。%1</translation>
    </message>
    <message>
        <source>The connection to the server was lost: %1</source>
        <translation>与服务器的连接丢失：%1</translation>
    </message>
    <message>
        <source>The connection to the server is closed.</source>
        <translation>与服务器的连接已关闭。</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>没有录制响应。</translation>
    </message>
    <message>
        <source>The tool may change or delete data; it was not allowed to run.</source>
        <translation>该工具可能会更改或删除数据；未允许其运行。</translation>
    </message>
    <message>
        <source>Skipped by you.</source>
        <translation>已被您跳过。</translation>
    </message>
    <message>
        <source>The recorded request contains a redacted secret and cannot be sent again.</source>
        <translation>录制的请求包含已遮盖的机密，无法再次发送。</translation>
    </message>
    <message>
        <source>The list now has fewer pages.</source>
        <translation>列表现在的页数变少了。</translation>
    </message>
    <message>
        <source>The connection&apos;s own handshake was not recorded.</source>
        <translation>连接自身的握手没有录制。</translation>
    </message>
    <message>
        <source>The replay was stopped.</source>
        <translation>回放已停止。</translation>
    </message>
    <message>
        <source>Server request changed: %1</source>
        <translation>服务器请求已更改：%1</translation>
    </message>
    <message>
        <source>New server request: %1</source>
        <translation>新的服务器请求：%1</translation>
    </message>
    <message>
        <source>Server request missing: %1</source>
        <translation>缺少服务器请求：%1</translation>
    </message>
    <message>
        <source>No response was sent; the recorded one contains a redacted secret: %1</source>
        <translation>没有发送响应；录制的响应包含已遮盖的机密：%1</translation>
    </message>
    <message>
        <source>There are more differences.</source>
        <translation>还有更多差异。</translation>
    </message>
</context>
<context>
    <name>sonde::Revocation</name>
    <message>
        <source>Revoked at %1</source>
        <translation>已在 %1 吊销</translation>
    </message>
    <message>
        <source>%1 does not offer revocation; the tokens remain valid there until they expire</source>
        <translation>%1 不提供吊销；令牌在过期之前在那里仍然有效</translation>
    </message>
    <message>
        <source>The tokens were not revoked. %1</source>
        <translation>令牌未吊销。%1</translation>
    </message>
    <message>
        <source>They remain valid at the authorization server until they expire.</source>
        <translation>在过期之前，它们在授权服务器上仍然有效。</translation>
    </message>
</context>
<context>
    <name>sonde::SavedCall</name>
    <message>
        <source>The folder %1 cannot be read.</source>
        <translation>无法读取文件夹 %1。</translation>
    </message>
    <message>
        <source>%1 has more saved calls than are shown.</source>
        <translation>%1 中的已保存调用多于显示的数量。</translation>
    </message>
    <message>
        <source>“%1” was not imported: %2</source>
        <translation>“%1”未导入：%2</translation>
    </message>
    <message>
        <source>it has no JSON as its body.</source>
        <translation>其正文不是 JSON。</translation>
    </message>
    <message>
        <source>Only the first %1 folders and requests were read.</source>
        <translation>只读取了前 %1 个文件夹和请求。</translation>
    </message>
    <message>
        <source>Set these environment variables before running them: %1.</source>
        <translation>请在运行之前设置这些环境变量：%1。</translation>
    </message>
    <message>
        <source>Scripts, such as tests, are not imported.</source>
        <translation>测试等脚本不会导入。</translation>
    </message>
    <message>
        <source>%1 is an MCP client of Insomnia, which has no calls in it.</source>
        <translation>%1 是 Insomnia 的 MCP 客户端，其中没有调用。</translation>
    </message>
    <message>
        <source>%1 is YAML.</source>
        <translation>%1 是 YAML。</translation>
    </message>
    <message>
        <source>Export it as JSON: Insomnia 4, or a Postman collection 2.1.</source>
        <translation>请将其导出为 JSON：Insomnia 4，或 Postman 集合 2.1。</translation>
    </message>
    <message>
        <source>%1 is not JSON.</source>
        <translation>%1 不是 JSON。</translation>
    </message>
    <message>
        <source>“%1” has what looks like a secret in its arguments: put ${env:NAME} or ${keychain:NAME} in its place before you share the file.</source>
        <translation>“%1”的参数中有看起来像机密的内容：请在共享文件之前将其替换为 ${env:NAME} 或 ${keychain:NAME}。</translation>
    </message>
    <message>
        <source>%1 is a list of servers, without calls.</source>
        <translation>%1 是服务器列表，不含调用。</translation>
    </message>
    <message>
        <source>Import it as servers.</source>
        <translation>请将其作为服务器导入。</translation>
    </message>
    <message>
        <source>Collections of Postman, Insomnia and Hoppscotch, and what MCP Inspector exports, can be read.</source>
        <translation>可以读取 Postman、Insomnia 和 Hoppscotch 的集合，以及 MCP Inspector 导出的内容。</translation>
    </message>
    <message>
        <source>The error is not the expected one</source>
        <translation>错误与期望的不同</translation>
    </message>
    <message>
        <source>The result differs from the expected one</source>
        <translation>结果与期望的不同</translation>
    </message>
    <message>
        <source>No response: %1</source>
        <translation>无响应：%1</translation>
    </message>
    <message>
        <source>Expected %1, got %2</source>
        <translation>期望%1，得到%2</translation>
    </message>
    <message>
        <source>Took %1 ms, expected at most %2 ms</source>
        <translation>用时 %1 毫秒，期望最多 %2 毫秒</translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation>未发送：%1</translation>
    </message>
    <message>
        <source>There are more differences.</source>
        <translation>还有更多差异。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a placeholder</source>
        <translation>&apos;%1&apos; 不是占位符</translation>
    </message>
    <message>
        <source>Placeholders are ${keychain:NAME}, ${env:NAME} and ${calls.NAME.result/POINTER}. To send the text as it is, write $${ instead of ${.</source>
        <translation>占位符为 ${keychain:NAME}、${env:NAME} 和 ${calls.NAME.result/POINTER}。要按原样发送文本，请写 $${ 而不是 ${。</translation>
    </message>
    <message>
        <source>%1, line %2 is not JSON: %3</source>
        <translation>%1 第 %2 行不是 JSON：%3</translation>
    </message>
    <message>
        <source>%1 is not a saved call: it is not a JSON object.</source>
        <translation>%1 不是已保存的调用：它不是 JSON 对象。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a string that is not empty.</source>
        <translation>&apos;%1&apos; 必须是非空字符串。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be the name of a saved call.</source>
        <translation>&apos;%1&apos; 不能作为已保存的调用的名称。</translation>
    </message>
    <message>
        <source>A name is not empty and has none of / { } in it.</source>
        <translation>名称不能为空，且不能包含 / { }。</translation>
    </message>
    <message>
        <source>&apos;tool&apos; is missing.</source>
        <translation>缺少 &apos;tool&apos;。</translation>
    </message>
    <message>
        <source>A saved call has the name of a tool, such as &quot;tool&quot;: &quot;search&quot;.</source>
        <translation>已保存的调用带有工具的名称，例如 &quot;tool&quot;: &quot;search&quot;。</translation>
    </message>
    <message>
        <source>&apos;arguments&apos; must be an object.</source>
        <translation>&apos;arguments&apos; 必须是对象。</translation>
    </message>
    <message>
        <source>&apos;expect&apos; must be an object.</source>
        <translation>&apos;expect&apos; 必须是对象。</translation>
    </message>
    <message>
        <source>A protocol error has no result.</source>
        <translation>协议错误没有结果。</translation>
    </message>
    <message>
        <source>Write &quot;error&quot; instead of &quot;result&quot;, or another outcome.</source>
        <translation>请写 &quot;error&quot; 而不是 &quot;result&quot;，或使用其他结果状态。</translation>
    </message>
    <message>
        <source>&apos;error&apos; needs the outcome protocol-error.</source>
        <translation>&apos;error&apos; 需要结果状态 protocol-error。</translation>
    </message>
    <message>
        <source>Add &quot;outcome&quot;: &quot;protocol-error&quot;.</source>
        <translation>请添加 &quot;outcome&quot;: &quot;protocol-error&quot;。</translation>
    </message>
    <message>
        <source>&apos;maxDurationMs&apos; must be a whole number of milliseconds above 0.</source>
        <translation>&apos;maxDurationMs&apos; 必须是大于 0 的整毫秒数。</translation>
    </message>
    <message>
        <source>&apos;outcome&apos; must be ok, tool-error or protocol-error.</source>
        <translation>&apos;outcome&apos; 必须是 ok、tool-error 或 protocol-error。</translation>
    </message>
    <message>
        <source>%1 is larger than the %2 MiB that a saved call may have.</source>
        <translation>%1 大于已保存的调用允许的 %2 MiB。</translation>
    </message>
    <message>
        <source>Enter a name.</source>
        <translation>请输入名称。</translation>
    </message>
    <message>
        <source>A name has none of / { } in it and does not begin with a dot.</source>
        <translation>名称不能包含 / { }，且不能以点开头。</translation>
    </message>
    <message>
        <source>The name is too long.</source>
        <translation>名称过长。</translation>
    </message>
    <message>
        <source>a result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>a tool error</source>
        <translation>工具错误</translation>
    </message>
    <message>
        <source>a protocol error</source>
        <translation>协议错误</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>%1: %2 needs the result of the saved call &apos;%3&apos;, which is not run before it.</source>
        <translation>%1：%2 需要已保存的调用 &apos;%3&apos; 的结果，而该调用没有在其之前运行。</translation>
    </message>
    <message>
        <source>Run it in the same command, in a file before this one.</source>
        <translation>请在同一命令中运行它，并放在此文件之前的文件中。</translation>
    </message>
    <message>
        <source>%1 and %2 are both named &apos;%3&apos;.</source>
        <translation>%1 和 %2 的名称都是 &apos;%3&apos;。</translation>
    </message>
    <message>
        <source>Give each its own &quot;name&quot;.</source>
        <translation>请为每个指定各自的 &quot;name&quot;。</translation>
    </message>
    <message>
        <source>its body is not a JSON object.</source>
        <translation>其正文不是 JSON 对象。</translation>
    </message>
    <message>
        <source>its body is not a JSON-RPC request.</source>
        <translation>其正文不是 JSON-RPC 请求。</translation>
    </message>
    <message>
        <source>%1 is not a tool call.</source>
        <translation>%1 不是工具调用。</translation>
    </message>
    <message>
        <source>it is not an HTTP request.</source>
        <translation>不是 HTTP 请求。</translation>
    </message>
    <message>
        <source>1 other message is not a tool call.</source>
        <translation>另外 1 条消息不是工具调用。</translation>
    </message>
    <message>
        <source>%1 other messages are not tool calls.</source>
        <translation>另外 %1 条消息不是工具调用。</translation>
    </message>
    <message>
        <source>%1 is not an export with tool calls.</source>
        <translation>%1 不是包含工具调用的导出文件。</translation>
    </message>
</context>
<context>
    <name>sonde::Secrets</name>
    <message>
        <source>Access to the keychain was refused.</source>
        <translation>对密钥链的访问被拒绝。</translation>
    </message>
    <message>
        <source>Sonde could not unlock the keychain.</source>
        <translation>Sonde 无法解锁密钥链。</translation>
    </message>
    <message>
        <source>There is no keychain on this computer.</source>
        <translation>此计算机上没有密钥链。</translation>
    </message>
    <message>
        <source>The keychain cannot be used.</source>
        <translation>无法使用密钥链。</translation>
    </message>
    <message>
        <source>Unlock the keychain, or start a service that provides one, such as GNOME Keyring or KWallet.</source>
        <translation>请解锁密钥链，或启动提供密钥链的服务，例如 GNOME Keyring 或 KWallet。</translation>
    </message>
    <message>
        <source>The keychain did not respond in time.</source>
        <translation>密钥链没有及时响应。</translation>
    </message>
    <message>
        <source>It may be waiting for its password in another window.</source>
        <translation>它可能正在另一个窗口中等待输入密码。</translation>
    </message>
    <message>
        <source>The keychain has no value named “%1”.</source>
        <translation>密钥链中没有名为“%1”的值。</translation>
    </message>
    <message>
        <source>Enter the value again in this server&apos;s settings, and unlock the keychain.</source>
        <translation>请在此服务器的设置中重新输入该值，并解锁密钥链。</translation>
    </message>
</context>
<context>
    <name>sonde::Server</name>
    <message>
        <source>The last argument is not a JSON object.</source>
        <translation>最后一个参数不是 JSON 对象。</translation>
    </message>
    <message>
        <source>The option %1 has no value.</source>
        <translation>选项 %1 没有值。</translation>
    </message>
    <message>
        <source>Unknown option %1. Put “--” before the command of the server.</source>
        <translation>未知选项 %1。请在服务器的命令之前加上“--”。</translation>
    </message>
    <message>
        <source>“%1” is not a port.</source>
        <translation>“%1”不是端口。</translation>
    </message>
    <message>
        <source>“%1” is not NAME=value.</source>
        <translation>“%1”不是 NAME=value。</translation>
    </message>
    <message>
        <source>“%1” is not a header: Name: value.</source>
        <translation>“%1”不是标头：Name: value。</translation>
    </message>
    <message>
        <source>The command does not say which server to add, or how to start it.</source>
        <translation>该命令没有说明要添加哪个服务器，或如何启动它。</translation>
    </message>
    <message>
        <source>“%1” after the URL is not understood.</source>
        <translation>无法理解 URL 之后的“%1”。</translation>
    </message>
    <message>
        <source>The text contains several commands that add a server.</source>
        <translation>文本包含多个添加服务器的命令。</translation>
    </message>
    <message>
        <source>Enter one command at a time.</source>
        <translation>请一次输入一个命令。</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Argument %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>URL: %1</source>
        <translation>URL：%1</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>Sign-in: %1</source>
        <translation>登录：%1</translation>
    </message>
    <message>
        <source>Network: %1</source>
        <translation>网络：%1</translation>
    </message>
    <message>
        <source>all of Sonde&apos;s own variables</source>
        <translation>Sonde 自身的所有变量</translation>
    </message>
    <message>
        <source>PATH of the login shell</source>
        <translation>登录 shell 的 PATH</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>now, with another secret</source>
        <translation>现在，使用另一个机密</translation>
    </message>
    <message>
        <source>another secret than before</source>
        <translation>与之前不同的机密</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>The approval cannot be remembered. %1</source>
        <translation>无法记住批准。%1</translation>
    </message>
    <message>
        <source>Sonde asks again at the next start.</source>
        <translation>Sonde 会在下次启动时再次询问。</translation>
    </message>
    <message>
        <source>Inherits</source>
        <translation>继承</translation>
    </message>
    <message>
        <source>Sonde&apos;s full environment</source>
        <translation>Sonde 的完整环境</translation>
    </message>
    <message>
        <source>PATH</source>
        <translation>PATH</translation>
    </message>
    <message>
        <source>that of the login shell</source>
        <translation>登录 shell 的 PATH</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>CA file</source>
        <translation>CA 文件</translation>
    </message>
    <message>
        <source>Client certificate</source>
        <translation>客户端证书</translation>
    </message>
    <message>
        <source>Client key</source>
        <translation>客户端密钥</translation>
    </message>
    <message>
        <source>Trusts certificate</source>
        <translation>信任证书</translation>
    </message>
    <message>
        <source>Allowed host</source>
        <translation>允许的主机</translation>
    </message>
    <message>
        <source>Root</source>
        <translation>根目录</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>修订版</translation>
    </message>
    <message>
        <source>Not declared</source>
        <translation>未声明</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>one page at a time</source>
        <translation>一次一页</translation>
    </message>
    <message>
        <source>Issuer</source>
        <translation>颁发者</translation>
    </message>
    <message>
        <source>Client ID</source>
        <translation>客户端 ID</translation>
    </message>
    <message>
        <source>Client secret</source>
        <translation>客户端机密</translation>
    </message>
    <message>
        <source>Redirect URL</source>
        <translation>重定向 URL</translation>
    </message>
    <message>
        <source>Client metadata</source>
        <translation>客户端元数据</translation>
    </message>
    <message>
        <source>Private key</source>
        <translation>私钥</translation>
    </message>
    <message>
        <source>Key algorithm</source>
        <translation>密钥算法</translation>
    </message>
    <message>
        <source>Token URL</source>
        <translation>令牌 URL</translation>
    </message>
    <message>
        <source>Provider client ID</source>
        <translation>提供方客户端 ID</translation>
    </message>
    <message>
        <source>ID token</source>
        <translation>ID 令牌</translation>
    </message>
    <message>
        <source>Assertion</source>
        <translation>断言</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Kept, but not used by Sonde: %1.</source>
        <translation>已保留，但 Sonde 不使用：%1。</translation>
    </message>
    <message>
        <source>Left out, since Sonde does not use them: the secrets in %1.</source>
        <translation>已略去，因为 Sonde 不使用它们：%1 中的机密。</translation>
    </message>
    <message>
        <source>The entry is not a JSON object.</source>
        <translation>条目不是 JSON 对象。</translation>
    </message>
    <message>
        <source>Given more than once; the last one counts: %1.</source>
        <translation>多次给出；以最后一个为准：%1。</translation>
    </message>
    <message>
        <source>A Zed extension starts this server; the file does not say how.</source>
        <translation>此服务器由 Zed 扩展启动；文件没有说明如何启动。</translation>
    </message>
    <message>
        <source>“envFile” is not read. Add the variables that the server needs.</source>
        <translation>不会读取“envFile”。请添加服务器需要的变量。</translation>
    </message>
    <message>
        <source>Codex passes on the variables of “env_vars”. Add those that the server needs.</source>
        <translation>Codex 会传递“env_vars”中的变量。请添加服务器需要的变量。</translation>
    </message>
    <message>
        <source>Not taken over: the reference to Sonde&apos;s keychain in %1. Only Sonde itself writes such references; enter the value.</source>
        <translation>未采用：%1 中对 Sonde 密钥链的引用。只有 Sonde 自身会写入此类引用；请输入该值。</translation>
    </message>
    <message>
        <source>%1 in %2 is read from Sonde&apos;s environment when the server starts.</source>
        <translation>%2 中的 %1 会在服务器启动时从 Sonde 的环境中读取。</translation>
    </message>
    <message>
        <source>%1 in %2 is not replaced by Sonde. Enter the value before you connect.</source>
        <translation>Sonde 不会替换 %2 中的 %1。请在连接之前输入该值。</translation>
    </message>
    <message>
        <source> It stands for: %1</source>
        <translation> 它代表：%1</translation>
    </message>
    <message>
        <source>An argument, the URL or the proxy contains a secret. It is saved in the list of servers as plain text.</source>
        <translation>参数、URL 或代理包含机密。它以纯文本形式保存在服务器列表中。</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1 为空。</translation>
    </message>
    <message>
        <source>%1 is not valid %2 at line %3, column %4: %5</source>
        <translation>%1 不是有效的 %2，位于第 %3 行第 %4 列：%5</translation>
    </message>
    <message>
        <source> (in the entry “%1”)</source>
        <translation> （在条目“%1”中）</translation>
    </message>
    <message>
        <source>Fix it in the program that uses it, then import it again.</source>
        <translation>请在使用它的程序中修正，然后重新导入。</translation>
    </message>
    <message>
        <source>The link does not describe a server.</source>
        <translation>该链接没有描述服务器。</translation>
    </message>
    <message>
        <source>Line %1, column %2: a comment or a trailing comma, which %3 does not accept.</source>
        <translation>第 %1 行第 %2 列：%3 不接受的注释或尾随逗号。</translation>
    </message>
    <message>
        <source>Disabled in this file.</source>
        <translation>在此文件中已禁用。</translation>
    </message>
    <message>
        <source>Disabled in %1.</source>
        <translation>在 %1 中已禁用。</translation>
    </message>
    <message>
        <source>%1 describes more than %2 servers.</source>
        <translation>%1 描述了超过 %2 个服务器。</translation>
    </message>
    <message>
        <source>The text describes no servers.</source>
        <translation>文本没有描述任何服务器。</translation>
    </message>
    <message>
        <source>Paste a command, a URL, an “mcpServers” object, or the content of a host&apos;s configuration file.</source>
        <translation>请粘贴命令、URL、“mcpServers”对象，或宿主配置文件的内容。</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>Every user of this computer can read %1, and it contains %2. Make it readable by you only (chmod 600).</source>
        <translation>此计算机的每个用户都可以读取 %1，而它包含 %2。请使其仅您可读（chmod 600）。</translation>
    </message>
    <message>
        <source>1 secret</source>
        <translation>1 个机密</translation>
    </message>
    <message>
        <source>%1 secrets</source>
        <translation>%1 个机密</translation>
    </message>
    <message>
        <source>the command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>argument %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>the working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>the variable %1</source>
        <translation>变量 %1</translation>
    </message>
    <message>
        <source>the URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>the header %1</source>
        <translation>标头 %1</translation>
    </message>
    <message>
        <source>the client ID</source>
        <translation>客户端 ID</translation>
    </message>
    <message>
        <source>the client secret</source>
        <translation>客户端机密</translation>
    </message>
    <message>
        <source>“oauth”</source>
        <translation>“oauth”</translation>
    </message>
    <message>
        <source>%1 (Sonde&apos;s own)</source>
        <translation>%1（Sonde 自身的）</translation>
    </message>
    <message>
        <source>%1 (set for this server)</source>
        <translation>%1（为此服务器设置）</translation>
    </message>
    <message>
        <source>read from your login shell when the server starts</source>
        <translation>服务器启动时从登录 shell 读取</translation>
    </message>
    <message>
        <source>%1 (your login shell&apos;s)</source>
        <translation>%1（登录 shell 的）</translation>
    </message>
    <message>
        <source>set for this server: %1</source>
        <translation>为此服务器设置：%1</translation>
    </message>
    <message>
        <source>and 1 other variable of Sonde&apos;s</source>
        <translation>以及 Sonde 的另外 1 个变量</translation>
    </message>
    <message>
        <source>and %1 other variables of Sonde&apos;s</source>
        <translation>以及 Sonde 的另外 %1 个变量</translation>
    </message>
    <message>
        <source>It does not start by itself at this URL: start the package %1 first.</source>
        <translation>它不会在此 URL 自行启动：请先启动包 %1。</translation>
    </message>
    <message>
        <source>Optional and left out: %1.</source>
        <translation>可选，已略去：%1。</translation>
    </message>
    <message>
        <source>Optional and left out: %1 (%2)</source>
        <translation>可选，已略去：%1（%2）</translation>
    </message>
    <message>
        <source>A package of the type “%1” cannot be started by Sonde. Install %2 and enter its command.</source>
        <translation>Sonde 无法启动类型为“%1”的包。请安装 %2 并输入其命令。</translation>
    </message>
    <message>
        <source>remote</source>
        <translation>远程</translation>
    </message>
    <message>
        <source>remote %1</source>
        <translation>远程 %1</translation>
    </message>
    <message>
        <source>%1 is not valid JSON at line %2, column %3: %4</source>
        <translation>%1 不是有效的 JSON，位于第 %2 行第 %3 列：%4</translation>
    </message>
    <message>
        <source>The file was not changed. Fix it, or move it away.</source>
        <translation>文件未更改。请修正它，或将其移走。</translation>
    </message>
    <message>
        <source>expected a JSON object.</source>
        <translation>应为 JSON 对象。</translation>
    </message>
    <message>
        <source>“mcpServers” is not an object.</source>
        <translation>“mcpServers”不是对象。</translation>
    </message>
    <message>
        <source>This looks like JSON but is invalid: %1.</source>
        <translation>这看起来像 JSON，但无效：%1。</translation>
    </message>
    <message>
        <source>The pasted JSON describes %1 servers. Import them with “Import…”, or add one at a time.</source>
        <translation>粘贴的 JSON 描述了 %1 个服务器。请使用“导入…”导入它们，或一次添加一个。</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name.</source>
        <translation>“%1”不是有效的标头名称。</translation>
    </message>
    <message>
        <source>The header “%1” is set by Sonde itself.</source>
        <translation>标头“%1”由 Sonde 自身设置。</translation>
    </message>
    <message>
        <source>The header “%1” contains a line break or another control character.</source>
        <translation>标头“%1”包含换行符或其他控制字符。</translation>
    </message>
    <message>
        <source>The header “%1” contains characters that a header cannot carry.</source>
        <translation>标头“%1”包含标头无法携带的字符。</translation>
    </message>
    <message>
        <source>No URL is given.</source>
        <translation>未指定 URL。</translation>
    </message>
    <message>
        <source>The URL has no scheme; it must begin with https:// or http://.</source>
        <translation>URL 没有方案；它必须以 https:// 或 http:// 开头。</translation>
    </message>
    <message>
        <source>The URL must begin with https:// or http://, not %1:.</source>
        <translation>URL 必须以 https:// 或 http:// 开头，而不是 %1:。</translation>
    </message>
    <message>
        <source>The URL has no host.</source>
        <translation>URL 没有主机。</translation>
    </message>
    <message>
        <source>The root “%1” is not the absolute path of a folder, nor a file:// URI.</source>
        <translation>根目录“%1”既不是文件夹的绝对路径，也不是 file:// URI。</translation>
    </message>
    <message>
        <source>No command is given.</source>
        <translation>未指定命令。</translation>
    </message>
    <message>
        <source>The command line contains a NUL character.</source>
        <translation>命令行包含 NUL 字符。</translation>
    </message>
    <message>
        <source>“%1” is not a valid environment variable name.</source>
        <translation>“%1”不是有效的环境变量名。</translation>
    </message>
    <message>
        <source>The environment variable “%1” contains a NUL character.</source>
        <translation>环境变量“%1”包含 NUL 字符。</translation>
    </message>
    <message>
        <source>“%1” is passed as is: no shell is used. Use sh -c &apos;…&apos; if you need a shell.</source>
        <translation>“%1”按原样传递：不使用 shell。如需 shell，请使用 sh -c &apos;…&apos;。</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Nothing runs until you click Connect.</source>
        <translation>在您单击“连接”之前不会运行任何内容。</translation>
    </message>
    <message>
        <source>Asks your login shell for its PATH, and runs the “%1” that is found there.</source>
        <translation>向登录 shell 查询其 PATH，并运行在其中找到的“%1”。</translation>
    </message>
    <message>
        <source>The working directory %1 does not exist.</source>
        <translation>工作目录 %1 不存在。</translation>
    </message>
    <message>
        <source>Runs %1 without arguments in %2.</source>
        <translation>在 %2 中不带参数运行 %1。</translation>
    </message>
    <message>
        <source>Runs %1 with 1 argument in %2.</source>
        <translation>在 %2 中带 1 个参数运行 %1。</translation>
    </message>
    <message>
        <source>Runs %1 with %2 arguments in %3.</source>
        <translation>在 %3 中带 %2 个参数运行 %1。</translation>
    </message>
    <message>
        <source>Connects to %1.</source>
        <translation>连接到 %1。</translation>
    </message>
    <message>
        <source>Connects to %1 with 1 custom header.</source>
        <translation>使用 1 个自定义标头连接到 %1。</translation>
    </message>
    <message>
        <source>Connects to %1 with %2 custom headers.</source>
        <translation>使用 %2 个自定义标头连接到 %1。</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Connect.</source>
        <translation>在您单击“连接”之前不会发送任何内容。</translation>
    </message>
    <message>
        <source>Nothing was entered.</source>
        <translation>没有输入任何内容。</translation>
    </message>
    <message>
        <source>Enter a command line or URL.</source>
        <translation>请输入命令行或 URL。</translation>
    </message>
    <message>
        <source>Not a valid URL: %1.</source>
        <translation>不是有效的 URL：%1。</translation>
    </message>
    <message>
        <source>The line sets environment variables but contains no command.</source>
        <translation>该行设置了环境变量，但不包含命令。</translation>
    </message>
    <message>
        <source>stdio</source>
        <translation>stdio</translation>
    </message>
    <message>
        <source>HTTP+SSE</source>
        <translation>HTTP+SSE</translation>
    </message>
    <message>
        <source>HTTP</source>
        <translation>HTTP</translation>
    </message>
    <message>
        <source>Revision %1 does not work over HTTP+SSE. Choose another transport or another revision.</source>
        <translation>修订版 %1 无法通过 HTTP+SSE 工作。请选择其他传输方式或其他修订版。</translation>
    </message>
    <message>
        <source>“%1” is not the absolute path of a file.</source>
        <translation>“%1”不是文件的绝对路径。</translation>
    </message>
    <message>
        <source>There is a client key, but no client certificate.</source>
        <translation>有客户端密钥，但没有客户端证书。</translation>
    </message>
    <message>
        <source>“%1” is not a SHA-256 fingerprint, which has 64 hexadecimal digits.</source>
        <translation>“%1”不是 SHA-256 指纹，SHA-256 指纹有 64 个十六进制数字。</translation>
    </message>
    <message>
        <source>“%1” is not the name of a host.</source>
        <translation>“%1”不是主机名。</translation>
    </message>
    <message>
        <source> The root %1 is not a folder.</source>
        <translation> 根目录 %1 不是文件夹。</translation>
    </message>
    <message>
        <source>“%1” is not a string.</source>
        <translation>“%1”不是字符串。</translation>
    </message>
    <message>
        <source>“args” is not a list of strings.</source>
        <translation>“args”不是字符串列表。</translation>
    </message>
    <message>
        <source>Argument %1 of “args” is not a string.</source>
        <translation>“args”的参数 %1 不是字符串。</translation>
    </message>
    <message>
        <source>“%1” is not an object of strings.</source>
        <translation>“%1”不是由字符串组成的对象。</translation>
    </message>
    <message>
        <source>“%1” of “%2” is not a string.</source>
        <translation>“%2”的“%1”不是字符串。</translation>
    </message>
    <message>
        <source>“roots” is not a list of objects with a “uri”.</source>
        <translation>“roots”不是由带“uri”的对象组成的列表。</translation>
    </message>
    <message>
        <source>Unknown “type” %1; use “stdio”, “http”, “streamable-http” or “sse”.</source>
        <translation>未知的“type”%1；请使用“stdio”、“http”、“streamable-http”或“sse”。</translation>
    </message>
    <message>
        <source>Unknown “revision” %1; use “automatic” or one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.</source>
        <translation>未知的“revision”%1；请使用“automatic”或 2024-11-05、2025-03-26、2025-06-18、2025-11-25、2026-07-28 之一。</translation>
    </message>
    <message>
        <source>“%1” is not a valid URL: %2</source>
        <translation>“%1”不是有效的 URL：%2</translation>
    </message>
    <message>
        <source>Unknown “grant” %1 of “oauth”; use “authorization_code”, “client_credentials”, “enterprise” or “workload”.</source>
        <translation>“oauth”的“grant”%1 未知；请使用“authorization_code”、“client_credentials”、“enterprise”或“workload”。</translation>
    </message>
    <message>
        <source>“%1” is given more than once; the last one counts.</source>
        <translation>“%1”多次给出；以最后一个为准。</translation>
    </message>
    <message>
        <source>The environment variable %1 is not set.</source>
        <translation>环境变量 %1 未设置。</translation>
    </message>
    <message>
        <source>These environment variables are not set: %1.</source>
        <translation>这些环境变量未设置：%1。</translation>
    </message>
    <message>
        <source>The server&apos;s description refers to it as ${env:%1}.</source>
        <translation>服务器的描述以 ${env:%1} 引用它。</translation>
    </message>
    <message>
        <source>a key with more than %1 parts.</source>
        <translation>由超过 %1 个部分组成的键。</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Ignored: “timeouts” is not an object.</source>
        <translation>已忽略：“timeouts” 不是对象。</translation>
    </message>
    <message>
        <source>Ignored: “%1” of “timeouts” is not a number of seconds from %2 to %3.</source>
        <translation>已忽略：“timeouts” 中的 “%1” 不是 %2 到 %3 之间的秒数。</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>request %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>total %1</source>
        <translation>总计 %1</translation>
    </message>
    <message>
        <source>connection %1</source>
        <translation>连接 %1</translation>
    </message>
</context>
<context>
    <name>sonde::ServerSnapshot</name>
    <message>
        <source>The session does not contain a successful handshake.</source>
        <translation>会话不包含成功的握手。</translation>
    </message>
</context>
<context>
    <name>sonde::ServerStart</name>
    <message>
        <source>not executable</source>
        <translation>不可执行</translation>
    </message>
    <message>
        <source>no such program</source>
        <translation>没有此程序</translation>
    </message>
    <message>
        <source>command not found</source>
        <translation>找不到命令</translation>
    </message>
    <message>
        <source>This server has not been approved with its current settings.</source>
        <translation>此服务器的当前设置尚未获得批准。</translation>
    </message>
    <message>
        <source>Start it from the list of servers, where Sonde shows what it would run.</source>
        <translation>请从服务器列表启动它，Sonde 会在那里显示将运行的内容。</translation>
    </message>
    <message>
        <source>Waiting for your approval</source>
        <translation>正在等待您的批准</translation>
    </message>
    <message>
        <source>Waiting for the keychain</source>
        <translation>正在等待密钥链</translation>
    </message>
    <message>
        <source>%1 from the keychain</source>
        <translation>%1 个来自密钥链</translation>
    </message>
    <message>
        <source>Asking the login shell for its PATH</source>
        <translation>正在向登录 shell 查询其 PATH</translation>
    </message>
    <message>
        <source>“%1” did not exist when you were asked, but does now.</source>
        <translation>询问您时“%1”不存在，但现在存在。</translation>
    </message>
    <message>
        <source>Start the server again. Sonde asks before it runs.</source>
        <translation>请重新启动服务器。Sonde 会在运行之前询问。</translation>
    </message>
    <message>
        <source>%1, chosen in this server&apos;s settings</source>
        <translation>%1，在此服务器的设置中选择</translation>
    </message>
    <message>
        <source>%1, which the server used before</source>
        <translation>%1，服务器之前使用过</translation>
    </message>
    <message>
        <source>%1, which is tried first</source>
        <translation>%1，首先尝试</translation>
    </message>
    <message>
        <source>Waiting for at most %1 s; servers that need a handshake may not respond</source>
        <translation>最多等待 %1 秒；需要握手的服务器可能不会响应</translation>
    </message>
    <message>
        <source>Chosen in this server&apos;s settings.</source>
        <translation>在此服务器的设置中选择。</translation>
    </message>
    <message>
        <source>HTTP+SSE servers always need a handshake.</source>
        <translation>HTTP+SSE 服务器始终需要握手。</translation>
    </message>
    <message>
        <source>Remembered from %1: the server wants a handshake.</source>
        <translation>自 %1 起记住：服务器需要握手。</translation>
    </message>
    <message>
        <source>Waiting for credentials</source>
        <translation>正在等待凭据</translation>
    </message>
    <message>
        <source>The server chose it; this server&apos;s settings say %1.</source>
        <translation>由服务器选择；此服务器的设置为 %1。</translation>
    </message>
</context>
<context>
    <name>sonde::ServerStore</name>
    <message>
        <source>A server named “%1” already exists.</source>
        <translation>名为“%1”的服务器已存在。</translation>
    </message>
    <message>
        <source>Enter a name for the server.</source>
        <translation>请输入服务器的名称。</translation>
    </message>
    <message>
        <source>No server named “%1”.</source>
        <translation>没有名为“%1”的服务器。</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>%1 is writable by every user of this computer, and it defines which programs Sonde starts.</source>
        <translation>此计算机的每个用户都可以写入 %1，而它定义了 Sonde 启动哪些程序。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
</context>
<context>
    <name>sonde::Session</name>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Not enough memory to read the rest.</source>
        <translation>内存不足，无法读取其余部分。</translation>
    </message>
</context>
<context>
    <name>sonde::SessionCheck</name>
    <message>
        <source>%1 (Findings of this kind so far: %2; further ones are mostly only counted.)</source>
        <translation>%1（目前此类检查结果：%2；后续大多只计数。）</translation>
    </message>
    <message>
        <source>Response to %1</source>
        <translation>对 %1 的响应</translation>
    </message>
    <message>
        <source>%1, revision %2: %3</source>
        <translation>%1，修订版 %2：%3</translation>
    </message>
</context>
<context>
    <name>sonde::SessionFile</name>
    <message>
        <source>Free some disk space; recording resumes automatically.</source>
        <translation>请释放一些磁盘空间；录制会自动恢复。</translation>
    </message>
    <message>
        <source>The session file &apos;%1&apos; could not be created: %2</source>
        <translation>无法创建会话文件 &apos;%1&apos;：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; could not be opened: %2</source>
        <translation>无法打开 &apos;%1&apos;：%2</translation>
    </message>
    <message>
        <source>The session file could not be written: %1</source>
        <translation>无法写入会话文件：%1</translation>
    </message>
    <message>
        <source>The session file could not be flushed to disk: %1</source>
        <translation>无法将会话文件刷新到磁盘：%1</translation>
    </message>
</context>
<context>
    <name>sonde::SessionHeader</name>
    <message>
        <source>Not a Sonde session file.</source>
        <translation>不是 Sonde 会话文件。</translation>
    </message>
    <message>
        <source>This session has format version %1.</source>
        <translation>此会话的格式版本为 %1。</translation>
    </message>
    <message>
        <source>A newer version of Sonde is needed to read it.</source>
        <translation>需要较新版本的 Sonde 才能读取它。</translation>
    </message>
</context>
<context>
    <name>sonde::SessionLibrary</name>
    <message>
        <source>&apos;%1&apos; is not a session in this folder; not deleted.</source>
        <translation>&apos;%1&apos; 不是此文件夹中的会话；未删除。</translation>
    </message>
    <message>
        <source>This session is still being recorded.</source>
        <translation>此会话仍在录制中。</translation>
    </message>
    <message>
        <source>Disconnect first.</source>
        <translation>请先断开连接。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; could not be deleted: %2</source>
        <translation>无法删除 &apos;%1&apos;：%2</translation>
    </message>
</context>
<context>
    <name>sonde::SessionNotes</name>
    <message>
        <source>Shorten the text.</source>
        <translation>请缩短文本。</translation>
    </message>
    <message>
        <source>The header of this session cannot be read.</source>
        <translation>无法读取此会话的文件头。</translation>
    </message>
    <message>
        <source>A name can have %1 characters.</source>
        <translation>名称最多可有 %1 个字符。</translation>
    </message>
    <message>
        <source>Notes can have %1 characters.</source>
        <translation>备注最多可有 %1 个字符。</translation>
    </message>
</context>
<context>
    <name>sonde::SessionReader</name>
    <message>
        <source>&apos;%1&apos; cannot be read.</source>
        <translation>无法读取 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>The header is damaged; its contents may be wrong.</source>
        <translation>文件头已损坏；其内容可能有误。</translation>
    </message>
    <message>
        <source>The last record is incomplete.</source>
        <translation>最后一条记录不完整。</translation>
    </message>
    <message>
        <source>The record&apos;s length is invalid.</source>
        <translation>记录的长度无效。</translation>
    </message>
    <message>
        <source>The record is out of order.</source>
        <translation>记录的顺序有误。</translation>
    </message>
    <message>
        <source>Read error.</source>
        <translation>读取错误。</translation>
    </message>
    <message>
        <source>The record is damaged.</source>
        <translation>记录已损坏。</translation>
    </message>
    <message>
        <source>From here on records are not in their order.</source>
        <translation>从此处起，记录的顺序有误。</translation>
    </message>
    <message>
        <source>Duplicate record.</source>
        <translation>重复的记录。</translation>
    </message>
    <message>
        <source>Record %1 is missing.</source>
        <translation>缺少记录 %1。</translation>
    </message>
    <message>
        <source>Records %1 to %2 are missing.</source>
        <translation>缺少记录 %1 至 %2。</translation>
    </message>
</context>
<context>
    <name>sonde::SessionRedactor</name>
    <message>
        <source>specified by you</source>
        <translation>由您指定</translation>
    </message>
    <message>
        <source>home directory</source>
        <translation>主目录</translation>
    </message>
    <message>
        <source>redacted elsewhere in the session</source>
        <translation>在会话的其他位置已遮盖</translation>
    </message>
    <message>
        <source>one of many</source>
        <translation>众多位置之一</translation>
    </message>
    <message>
        <source>token or key format</source>
        <translation>令牌或密钥格式</translation>
    </message>
    <message>
        <source>header, variable, URL or option</source>
        <translation>标头、变量、URL 或选项</translation>
    </message>
    <message>
        <source>name in the text</source>
        <translation>文本中的名称</translation>
    </message>
    <message>
        <source>redacted while recording</source>
        <translation>录制时已遮盖</translation>
    </message>
</context>
<context>
    <name>sonde::Shape</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>item %1</source>
        <translation>第 %1 项</translation>
    </message>
    <message>
        <source>“%1” %2</source>
        <translation>“%1”%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>schema too large</source>
        <translation>Schema 过大</translation>
    </message>
    <message>
        <source>“%1” is not one of: %2</source>
        <translation>“%1”不是以下之一：%2</translation>
    </message>
    <message>
        <source>string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>boolean</source>
        <translation>布尔值</translation>
    </message>
    <message>
        <source>1 choice</source>
        <translation>1 个选项</translation>
    </message>
    <message>
        <source>%1 choices</source>
        <translation>%1 个选项</translation>
    </message>
    <message>
        <source>tuple</source>
        <translation>元组</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>any JSON</source>
        <translation>任意 JSON</translation>
    </message>
    <message>
        <source>option %1</source>
        <translation>选项 %1</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>≥ %1</source>
        <translation>≥ %1</translation>
    </message>
    <message>
        <source>≤ %1</source>
        <translation>≤ %1</translation>
    </message>
    <message>
        <source>&gt; %1</source>
        <translation>&gt; %1</translation>
    </message>
    <message>
        <source>&lt; %1</source>
        <translation>&lt; %1</translation>
    </message>
    <message>
        <source>multiple of %1</source>
        <translation>%1 的倍数</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>min %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>tuple of %1</source>
        <translation>%1 项元组</translation>
    </message>
    <message>
        <source>tuples of %1</source>
        <translation>%1 项元组</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>strings</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>%1 strings</source>
        <translation>%1 字符串</translation>
    </message>
    <message>
        <source>integers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>booleans</source>
        <translation>布尔值</translation>
    </message>
    <message>
        <source>choices</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>no choices</source>
        <translation>无选项</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>constants</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>empty object</source>
        <translation>空对象</translation>
    </message>
    <message>
        <source>empty objects</source>
        <translation>空对象</translation>
    </message>
    <message>
        <source>map</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>maps</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>map of %1</source>
        <translation>%1的映射</translation>
    </message>
    <message>
        <source>maps of %1</source>
        <translation>%1的映射</translation>
    </message>
    <message>
        <source>lists</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>list of %1</source>
        <translation>%1的列表</translation>
    </message>
    <message>
        <source>lists of %1</source>
        <translation>%1的列表</translation>
    </message>
    <message>
        <source>any object</source>
        <translation>任意对象</translation>
    </message>
    <message>
        <source>any list</source>
        <translation>任意列表</translation>
    </message>
    <message>
        <source>no valid value</source>
        <translation>无有效值</translation>
    </message>
    <message>
        <source>character</source>
        <translation>个字符</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>个字符</translation>
    </message>
    <message>
        <source>pattern %1</source>
        <translation>模式 %1</translation>
    </message>
    <message>
        <source>item</source>
        <translation>项</translation>
    </message>
    <message>
        <source>items</source>
        <translation>项</translation>
    </message>
    <message>
        <source>unique items</source>
        <translation>各项唯一</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>默认值 %1</translation>
    </message>
    <message>
        <source>deprecated</source>
        <translation>已弃用</translation>
    </message>
    <message>
        <source>%1, then %2</source>
        <translation>%1，然后是 %2</translation>
    </message>
</context>
<context>
    <name>sonde::SignIn</name>
    <message>
        <source>Server metadata</source>
        <translation>服务器元数据</translation>
    </message>
    <message>
        <source>Authorization server</source>
        <translation>授权服务器</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Browser</source>
        <translation>浏览器</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>密钥链</translation>
    </message>
    <message>
        <source>Revocation</source>
        <translation>吊销</translation>
    </message>
    <message>
        <source>Kept until Sonde is closed: %1</source>
        <translation>保留到 Sonde 关闭为止：%1</translation>
    </message>
    <message>
        <source>Kept in the keychain</source>
        <translation>保存在密钥链中</translation>
    </message>
    <message>
        <source>There is no metadata at the URL that the server gave: %1</source>
        <translation>服务器给出的 URL 处没有元数据：%1</translation>
    </message>
    <message>
        <source>None published; using the rules of 2025-03-26</source>
        <translation>未发布；使用 2025-03-26 的规则</translation>
    </message>
    <message>
        <source>Protected by %1</source>
        <translation>受 %1 保护</translation>
    </message>
    <message>
        <source>The authorization server is neither https nor on this computer: %1</source>
        <translation>授权服务器既不是 https，也不在此计算机上：%1</translation>
    </message>
    <message>
        <source>The authorization server %1 publishes no metadata.</source>
        <translation>授权服务器 %1 没有发布元数据。</translation>
    </message>
    <message>
        <source>None published; using the default paths of 2025-03-26</source>
        <translation>未发布；使用 2025-03-26 的默认路径</translation>
    </message>
    <message>
        <source>The credentials are for %1, but the server is protected by %2.</source>
        <translation>凭据属于 %1，但服务器受 %2 保护。</translation>
    </message>
    <message>
        <source>If that is correct, change the issuer in this server&apos;s sign-in settings.</source>
        <translation>如果这是正确的，请在此服务器的登录设置中更改颁发者。</translation>
    </message>
    <message>
        <source>If that is correct, sign out and sign in again.</source>
        <translation>如果这是正确的，请退出登录并重新登录。</translation>
    </message>
    <message>
        <source>The server&apos;s URL is not https, so tokens could be intercepted.</source>
        <translation>服务器的 URL 不是 https，因此令牌可能被截获。</translation>
    </message>
    <message>
        <source>Use an https URL, or add an Authorization header to its settings.</source>
        <translation>请使用 https URL，或在其设置中添加 Authorization 标头。</translation>
    </message>
    <message>
        <source>The server requires a sign-in at %1.</source>
        <translation>服务器要求在 %1 登录。</translation>
    </message>
    <message>
        <source>Sign in with sonde-cli login, or add an Authorization header.</source>
        <translation>请使用 sonde-cli login 登录，或添加 Authorization 标头。</translation>
    </message>
    <message>
        <source>Identified by its own token</source>
        <translation>由其自身的令牌标识</translation>
    </message>
    <message>
        <source>%1, from the settings</source>
        <translation>%1，来自设置</translation>
    </message>
    <message>
        <source>%1, as before</source>
        <translation>%1，与之前相同</translation>
    </message>
    <message>
        <source>%1, registered earlier</source>
        <translation>%1，先前已注册</translation>
    </message>
    <message>
        <source>The authorization server does not support client registration.</source>
        <translation>授权服务器不支持客户端注册。</translation>
    </message>
    <message>
        <source>Enter a client ID from %1 in this server&apos;s settings.</source>
        <translation>请在此服务器的设置中输入 %1 的客户端 ID。</translation>
    </message>
    <message>
        <source>The sign-in was not completed within five minutes.</source>
        <translation>登录未在五分钟内完成。</translation>
    </message>
    <message>
        <source>A response with the wrong state was ignored</source>
        <translation>已忽略一个 state 不正确的响应</translation>
    </message>
    <message>
        <source>The server requires credentials but publishes no sign-in metadata.</source>
        <translation>服务器需要凭据，但没有发布登录元数据。</translation>
    </message>
    <message>
        <source>If it accepts an API key or a token, add it as a header, such as Authorization.</source>
        <translation>如果它接受 API 密钥或令牌，请将其添加为标头，例如 Authorization。</translation>
    </message>
    <message>
        <source>If you have a client ID from %1, enter it in this server&apos;s settings.</source>
        <translation>如果您有 %1 的客户端 ID，请在此服务器的设置中输入。</translation>
    </message>
    <message>
        <source>Registered as %1</source>
        <translation>已注册为 %1</translation>
    </message>
    <message>
        <source>The authorization server does not support PKCE with S256, which MCP requires.</source>
        <translation>授权服务器不支持 MCP 所要求的使用 S256 的 PKCE。</translation>
    </message>
    <message>
        <source>Signing in at %1 is not possible.</source>
        <translation>无法在 %1 登录。</translation>
    </message>
    <message>
        <source>Waiting for you to sign in at %1</source>
        <translation>正在等待您在 %1 登录</translation>
    </message>
    <message>
        <source>Waiting for you to sign in at %1, named by %2</source>
        <translation>正在等待您在 %1（由 %2 指明）登录</translation>
    </message>
    <message>
        <source>This is not the redirect URL of this sign-in.</source>
        <translation>这不是此次登录的重定向 URL。</translation>
    </message>
    <message>
        <source>Copy the whole address from the browser, from http to the end.</source>
        <translation>请从浏览器复制整个地址，从 http 直到末尾。</translation>
    </message>
    <message>
        <source>The authorization server&apos;s response has the parameter %1 more than once.</source>
        <translation>授权服务器的响应多次包含参数 %1。</translation>
    </message>
    <message>
        <source>OAuth forbids that (RFC 6749, section 3.1), because it is ambiguous.</source>
        <translation>OAuth 禁止这样做（RFC 6749 第 3.1 节），因为这有歧义。</translation>
    </message>
    <message>
        <source>The response comes from a different authorization server.</source>
        <translation>响应来自另一个授权服务器。</translation>
    </message>
    <message>
        <source>The response does not say which authorization server it comes from.</source>
        <translation>响应没有说明它来自哪个授权服务器。</translation>
    </message>
    <message>
        <source>The authorization server refused the sign-in: %1</source>
        <translation>授权服务器拒绝了登录：%1</translation>
    </message>
    <message>
        <source>The authorization server&apos;s response has no code.</source>
        <translation>授权服务器的响应没有 code。</translation>
    </message>
    <message>
        <source>Signed in</source>
        <translation>已登录</translation>
    </message>
    <message>
        <source>The identity provider is neither https nor on this computer.</source>
        <translation>身份提供方既不是 https，也不在此计算机上。</translation>
    </message>
    <message>
        <source>Try again later, or sign in again.</source>
        <translation>请稍后重试，或重新登录。</translation>
    </message>
    <message>
        <source>OAuth requires it (RFC 6749, section 5.1), as in &quot;token_type&quot;: &quot;Bearer&quot;.</source>
        <translation>OAuth 要求它（RFC 6749 第 5.1 节），例如 &quot;token_type&quot;: &quot;Bearer&quot;。</translation>
    </message>
    <message>
        <source>The authorization server issued a token of an unknown type: %1</source>
        <translation>授权服务器颁发了未知类型的令牌：%1</translation>
    </message>
    <message>
        <source>The authorization server issued a token bound to a key (DPoP), but no key was used.</source>
        <translation>授权服务器颁发了绑定到密钥（DPoP）的令牌，但没有使用密钥。</translation>
    </message>
    <message>
        <source>The authorization server issued a token with invalid characters.</source>
        <translation>授权服务器颁发的令牌包含无效字符。</translation>
    </message>
    <message>
        <source>Refreshed</source>
        <translation>已刷新</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <source>Access and refresh token</source>
        <translation>访问令牌和刷新令牌</translation>
    </message>
</context>
<context>
    <name>sonde::SseTransport</name>
    <message>
        <source>Check that this is an HTTP+SSE URL.</source>
        <translation>请检查这是否为 HTTP+SSE URL。</translation>
    </message>
    <message>
        <source>The server opened an event stream but did not name its endpoint in time.</source>
        <translation>服务器打开了事件流，但没有及时给出其端点。</translation>
    </message>
    <message>
        <source>The event stream did not begin with the event “endpoint”.</source>
        <translation>事件流没有以事件“endpoint”开头。</translation>
    </message>
    <message>
        <source>The endpoint that the server named is not a URL.</source>
        <translation>服务器给出的端点不是 URL。</translation>
    </message>
    <message>
        <source>The endpoint that the server named is on another origin. Nothing was sent there.</source>
        <translation>服务器给出的端点位于另一个源。没有向那里发送任何内容。</translation>
    </message>
    <message>
        <source>Messages and credentials go only to %1.</source>
        <translation>消息和凭据只发送到 %1。</translation>
    </message>
</context>
<context>
    <name>sonde::StdioTransport</name>
    <message>
        <source>Hangup</source>
        <translation>挂断</translation>
    </message>
    <message>
        <source>Interrupt</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Illegal instruction</source>
        <translation>非法指令</translation>
    </message>
    <message>
        <source>Trace/breakpoint trap</source>
        <translation>跟踪/断点陷阱</translation>
    </message>
    <message>
        <source>Aborted</source>
        <translation>已中止</translation>
    </message>
    <message>
        <source>Bus error</source>
        <translation>总线错误</translation>
    </message>
    <message>
        <source>Floating point exception</source>
        <translation>浮点异常</translation>
    </message>
    <message>
        <source>Killed</source>
        <translation>已杀死</translation>
    </message>
    <message>
        <source>User defined signal 1</source>
        <translation>用户定义信号 1</translation>
    </message>
    <message>
        <source>Segmentation fault</source>
        <translation>段错误</translation>
    </message>
    <message>
        <source>User defined signal 2</source>
        <translation>用户定义信号 2</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>管道破裂</translation>
    </message>
    <message>
        <source>Alarm clock</source>
        <translation>闹钟</translation>
    </message>
    <message>
        <source>Terminated</source>
        <translation>已终止</translation>
    </message>
    <message>
        <source>CPU time limit exceeded</source>
        <translation>超出 CPU 时间限制</translation>
    </message>
    <message>
        <source>File size limit exceeded</source>
        <translation>超出文件大小限制</translation>
    </message>
    <message>
        <source>Bad system call</source>
        <translation>错误的系统调用</translation>
    </message>
    <message>
        <source>Unknown signal</source>
        <translation>未知信号</translation>
    </message>
    <message>
        <source>Code 127 usually means that a command inside a script was not found.</source>
        <translation>代码 127 通常表示脚本中的某个命令未找到。</translation>
    </message>
    <message>
        <source>Code 126 usually means that a command inside a script could not be executed.</source>
        <translation>代码 126 通常表示脚本中的某个命令无法执行。</translation>
    </message>
    <message>
        <source>“%1” is a directory, not a program.</source>
        <translation>“%1”是目录，而不是程序。</translation>
    </message>
    <message>
        <source>“%1” was found but is not executable.</source>
        <translation>找到了“%1”，但它不可执行。</translation>
    </message>
    <message>
        <source>Make it executable (chmod +x), or start it through its interpreter, such as “node” or “python3”.</source>
        <translation>请使其可执行（chmod +x），或通过其解释器启动，例如“node”或“python3”。</translation>
    </message>
    <message>
        <source>“~” is not expanded. Write the full path.</source>
        <translation>“~”不会展开。请写出完整路径。</translation>
    </message>
    <message>
        <source>Install Node.js, or add the directory that holds “%1” to PATH in this server&apos;s environment (version managers such as nvm set it for terminals only).</source>
        <translation>请安装 Node.js，或在此服务器的环境中将“%1”所在的目录添加到 PATH（nvm 等版本管理器只为终端设置 PATH）。</translation>
    </message>
    <message>
        <source>Install uv, or add the directory that holds “%1” (often ~/.local/bin, written in full) to PATH in this server&apos;s environment.</source>
        <translation>请安装 uv，或在此服务器的环境中将“%1”所在的目录（通常为 ~/.local/bin，须写出完整路径）添加到 PATH。</translation>
    </message>
    <message>
        <source>Enter the full path, or add its directory to PATH in this server&apos;s environment.</source>
        <translation>请输入完整路径，或在此服务器的环境中将其目录添加到 PATH。</translation>
    </message>
    <message>
        <source>No program is given.</source>
        <translation>未指定程序。</translation>
    </message>
    <message>
        <source>File “%1” does not exist.</source>
        <translation>文件“%1”不存在。</translation>
    </message>
    <message>
        <source>“%1” was not found in PATH.</source>
        <translation>在 PATH 中未找到“%1”。</translation>
    </message>
    <message>
        <source>Relative entries are never searched: %1</source>
        <translation>相对条目从不搜索：%1</translation>
    </message>
    <message>
        <source>The command or its environment contains a NUL character.</source>
        <translation>命令或其环境包含 NUL 字符。</translation>
    </message>
    <message>
        <source>“%1” is not a valid environment variable name.</source>
        <translation>“%1”不是有效的环境变量名。</translation>
    </message>
    <message>
        <source>The working directory “%1” does not exist.</source>
        <translation>工作目录“%1”不存在。</translation>
    </message>
    <message>
        <source>The working directory “%1” is not a directory.</source>
        <translation>工作目录“%1”不是目录。</translation>
    </message>
    <message>
        <source>Cannot change to the working directory “%1”: %2.</source>
        <translation>无法切换到工作目录“%1”：%2。</translation>
    </message>
    <message>
        <source>“%1” exists, but the interpreter in its first line does not.</source>
        <translation>“%1”存在，但其首行中的解释器不存在。</translation>
    </message>
    <message>
        <source>Check its “#!” line.</source>
        <translation>请检查其“#!”行。</translation>
    </message>
    <message>
        <source>“%1” cannot be run on this system.</source>
        <translation>“%1”无法在此系统上运行。</translation>
    </message>
    <message>
        <source>A script needs a first line such as “#!/bin/sh”.</source>
        <translation>脚本的首行须类似“#!/bin/sh”。</translation>
    </message>
    <message>
        <source>The command line and environment of “%1” are too long.</source>
        <translation>“%1”的命令行和环境过长。</translation>
    </message>
    <message>
        <source>“%1” could not be started: %2.</source>
        <translation>“%1”无法启动：%2。</translation>
    </message>
    <message>
        <source>Command: %1
Working directory: %2</source>
        <translation>命令：%1
工作目录：%2</translation>
    </message>
    <message>
        <source>The server closed its standard output but is still running.</source>
        <translation>服务器关闭了标准输出，但仍在运行。</translation>
    </message>
    <message>
        <source>Restart the server.</source>
        <translation>请重启服务器。</translation>
    </message>
    <message>
        <source>A message of %1 is longer than the limit of %2.</source>
        <translation>大小为 %1 的消息超出了 %2 的限制。</translation>
    </message>
    <message>
        <source>Ask for less at once, such as a page or a part.</source>
        <translation>请一次请求较少的内容，例如一页或一部分。</translation>
    </message>
    <message>
        <source>Too much stderr output: from here on, lines are counted but not recorded.</source>
        <translation>stderr 输出过多：从此处起，各行只计数而不录制。</translation>
    </message>
    <message>
        <source>%1 lines of stderr (%2) were not recorded here.</source>
        <translation>此处有 %1 行 stderr（%2）未录制。</translation>
    </message>
    <message>
        <source>Not sent: the message of %1 exceeds the limit of %2 per message.</source>
        <translation>未发送：大小为 %1 的消息超出了每条消息 %2 的限制。</translation>
    </message>
    <message>
        <source>Send less data at once, or a path or URL for the server to read from.</source>
        <translation>请一次发送较少的数据，或发送路径或 URL 供服务器读取。</translation>
    </message>
    <message>
        <source>The server is not reading its input; %1 are pending.</source>
        <translation>服务器没有读取其输入；尚有 %1 待处理。</translation>
    </message>
    <message>
        <source>The server has closed its standard input.</source>
        <translation>服务器已关闭其标准输入。</translation>
    </message>
    <message>
        <source>The server closed its standard input before reading this message.</source>
        <translation>服务器在读取此消息之前关闭了其标准输入。</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2, %3).</source>
        <translation>服务器被信号 %1（%2，%3）终止。</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2, %3) before it wrote anything.</source>
        <translation>服务器在写出任何内容之前被信号 %1（%2，%3）终止。</translation>
    </message>
    <message>
        <source>The server exited with code %1.</source>
        <translation>服务器已退出，代码为 %1。</translation>
    </message>
    <message>
        <source>The server exited with code %1 before it wrote anything.</source>
        <translation>服务器在写出任何内容之前已退出，代码为 %1。</translation>
    </message>
    <message>
        <source>Last lines of stderr:</source>
        <translation>stderr 的最后几行：</translation>
    </message>
</context>
<context>
    <name>sonde::StreamedSubscriptions</name>
    <message>
        <source>The subscription was lost: %1</source>
        <translation>订阅已丢失：%1</translation>
    </message>
    <message>
        <source>Subscribing again in %1 s.</source>
        <translation>%1 秒后重新订阅。</translation>
    </message>
    <message>
        <source>%1 without the ID of its subscription.</source>
        <translation>%1 没有其订阅的 ID。</translation>
    </message>
    <message>
        <source>%1 names the subscription %2, but came on the stream of %3.</source>
        <translation>%1 指明订阅 %2，但出现在 %3 的流上。</translation>
    </message>
    <message>
        <source>%1 came on the stream of request %2 (%3), which is not a subscription.</source>
        <translation>%1 出现在请求 %2（%3）的流上，而该请求不是订阅。</translation>
    </message>
    <message>
        <source>%1 for an unknown subscription: %2</source>
        <translation>未知订阅的 %1：%2</translation>
    </message>
</context>
<context>
    <name>sonde::Subscriptions</name>
    <message>
        <source>The server ended the subscription.</source>
        <translation>服务器结束了订阅。</translation>
    </message>
    <message>
        <source>The server did not acknowledge this resource.</source>
        <translation>服务器没有确认此资源。</translation>
    </message>
</context>
<context>
    <name>sonde::TaskList</name>
    <message>
        <source>Max %1 pages of tasks; the rest was not read.</source>
        <translation>最多 %1 页任务；其余未读取。</translation>
    </message>
</context>
<context>
    <name>sonde::Transport</name>
    <message>
        <source>Not connected to the server.</source>
        <translation>未连接到服务器。</translation>
    </message>
    <message>
        <source>Messages over %1 have no HTTP headers.</source>
        <translation>通过 %1 传输的消息没有 HTTP 标头。</translation>
    </message>
    <message>
        <source>Send this one without any.</source>
        <translation>请在不带任何标头的情况下发送此消息。</translation>
    </message>
    <message>
        <source>The response violates JSON-RPC.</source>
        <translation>响应违反 JSON-RPC。</translation>
    </message>
    <message>
        <source>The response is nested deeper than %1 levels, the limit of Sonde.</source>
        <translation>响应的嵌套深度超过 Sonde 的上限 %1 层。</translation>
    </message>
</context>
<context>
    <name>sonde::app</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>See also</source>
        <translation>另请参阅</translation>
    </message>
    <message>
        <source>Synopsis</source>
        <translation>概要</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Exit status</source>
        <translation>退出状态</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>expected a command after --</source>
        <translation>-- 之后应为命令</translation>
    </message>
    <message>
        <source>%1 takes no value</source>
        <translation>%1 不接受值</translation>
    </message>
    <message>
        <source>%1 needs a value: %2</source>
        <translation>%1 需要一个值：%2</translation>
    </message>
    <message>
        <source>common options</source>
        <translation>通用选项</translation>
    </message>
    <message>
        <source>unknown option &apos;%1&apos;</source>
        <translation>未知选项 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>您是否想输入 %1？</translation>
    </message>
    <message>
        <source>%1 takes only %2</source>
        <translation>%1 只接受 %2</translation>
    </message>
    <message>
        <source>unexpected argument &apos;%1&apos;</source>
        <translation>意外的参数 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>应为 %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a positive number of seconds up to 1000000</source>
        <translation>&apos;%1&apos; 不是不超过 1000000 的正秒数</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a positive number of %2</source>
        <translation>&apos;%1&apos; 不是正数（%2）</translation>
    </message>
    <message>
        <source>Usage:</source>
        <translation>用法：</translation>
    </message>
    <message>
        <source>Examples:</source>
        <translation>示例：</translation>
    </message>
    <message>
        <source>%1: see %2</source>
        <translation>%1：参见 %2</translation>
    </message>
    <message>
        <source>can be repeated</source>
        <translation>可重复</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
</context>
<context>
    <name>sonde::app::ActionStates</name>
    <message>
        <source>&amp;Start server</source>
        <translation>启动服务器(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Restart server</source>
        <translation>重启服务器(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reconnect to server</source>
        <translation>重新连接到服务器(&amp;R)</translation>
    </message>
</context>
<context>
    <name>sonde::app::Actions</name>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>录制的会话</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server…</source>
        <translation>转到工具、资源、提示词、服务器…</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server or command</source>
        <translation>转到工具、资源、提示词、服务器或命令</translation>
    </message>
    <message>
        <source>Replay ▸</source>
        <translation>回放 ▸</translation>
    </message>
    <message>
        <source>Repeat the calls of a recorded session and compare</source>
        <translation>重复录制会话的调用并比较</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare two servers or sessions</source>
        <translation>比较两个服务器或会话</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Add server…</source>
        <translation>添加服务器(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Import servers…</source>
        <translation>导入服务器(&amp;I)…</translation>
    </message>
    <message>
        <source>Import &amp;calls…</source>
        <translation>导入调用(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Export servers…</source>
        <translation>导出服务器(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Open session…</source>
        <translation>打开会话(&amp;O)…</translation>
    </message>
    <message>
        <source>C&amp;lose tab</source>
        <translation>关闭标签页(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Reopen closed tab</source>
        <translation>重新打开已关闭的标签页(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pin tab</source>
        <translation>固定标签页(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤消(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy arguments as &amp;JSON</source>
        <translation>将参数复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Copy call as &amp;sonde-cli command</source>
        <translation>将调用复制为 sonde-cli 命令(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Fi&amp;lter tools, resources and prompts</source>
        <translation>筛选工具、资源和提示词(&amp;L)</translation>
    </message>
    <message>
        <source>Filter the ti&amp;meline</source>
        <translation>筛选时间线(&amp;M)</translation>
    </message>
    <message>
        <source>Pr&amp;eferences…</source>
        <translation>首选项(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Go to…</source>
        <translation>转到(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Next tab</source>
        <translation>下一个标签页(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous tab</source>
        <translation>上一个标签页(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Maximise the timeline</source>
        <translation>最大化时间线(&amp;M)</translation>
    </message>
    <message>
        <source>Match &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>浅色主题(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>深色主题(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;High contrast theme</source>
        <translation>高对比度主题(&amp;H)</translation>
    </message>
    <message>
        <source>Show menu &amp;bar</source>
        <translation>显示菜单栏(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Open the menu</source>
        <translation>打开菜单(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Restart server</source>
        <translation>重启服务器(&amp;R)</translation>
    </message>
    <message>
        <source>S&amp;top server</source>
        <translation>停止服务器(&amp;T)</translation>
    </message>
    <message>
        <source>Server &amp;info</source>
        <translation>服务器信息(&amp;I)</translation>
    </message>
    <message>
        <source>Refresh &amp;lists of tools, resources and prompts</source>
        <translation>刷新工具、资源和提示词列表(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Ping server</source>
        <translation>Ping 服务器(&amp;P)</translation>
    </message>
    <message>
        <source>Tas&amp;ks</source>
        <translation>任务(&amp;K)</translation>
    </message>
    <message>
        <source>Run &amp;all saved calls</source>
        <translation>运行所有已保存的调用(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Edit server…</source>
        <translation>编辑服务器(&amp;E)…</translation>
    </message>
    <message>
        <source>Re&amp;name server…</source>
        <translation>重命名服务器(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Duplicate server</source>
        <translation>创建服务器副本(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Copy server as mcpServers JSON</source>
        <translation>将服务器复制为 mcpServers JSON(&amp;C)</translation>
    </message>
    <message>
        <source>Re&amp;move server…</source>
        <translation>移除服务器(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Replay…</source>
        <translation>回放(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Compare…</source>
        <translation>比较(&amp;C)…</translation>
    </message>
    <message>
        <source>Call &amp;statistics</source>
        <translation>调用统计(&amp;S)</translation>
    </message>
    <message>
        <source>E&amp;xport session…</source>
        <translation>导出会话(&amp;X)…</translation>
    </message>
    <message>
        <source>Session size &amp;limit…</source>
        <translation>会话大小限制(&amp;L)…</translation>
    </message>
    <message>
        <source>Cl&amp;ose session</source>
        <translation>关闭会话(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Call</source>
        <translation>调用(&amp;C)</translation>
    </message>
    <message>
        <source>Ca&amp;ncel call</source>
        <translation>取消调用(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Older call</source>
        <translation>较早的调用(&amp;O)</translation>
    </message>
    <message>
        <source>Ne&amp;wer call</source>
        <translation>较新的调用(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Respond to the server request</source>
        <translation>响应服务器请求(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>键盘快捷键(&amp;K)…</translation>
    </message>
    <message>
        <source>&amp;About Sonde</source>
        <translation>关于 Sonde(&amp;A)</translation>
    </message>
</context>
<context>
    <name>sonde::app::ClosableBanner</name>
    <message>
        <source>Close this notice</source>
        <translation>关闭此通知</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>sonde::app::CompareController</name>
    <message>
        <source>Not connected.</source>
        <translation>未连接。</translation>
    </message>
    <message>
        <source>Connect to it, then compare again.</source>
        <translation>请连接到它，然后重新比较。</translation>
    </message>
    <message>
        <source>The session was closed.</source>
        <translation>会话已关闭。</translation>
    </message>
    <message>
        <source>not connected; showing its last offering</source>
        <translation>未连接；显示其上次的提供项</translation>
    </message>
    <message>
        <source>loading its offering…</source>
        <translation>正在加载其提供项…</translation>
    </message>
    <message>
        <source>replay of %1</source>
        <translation>%1 的回放</translation>
    </message>
    <message>
        <source>There is no file %1 any more.</source>
        <translation>文件 %1 已不存在。</translation>
    </message>
    <message>
        <source>Put it back and compare again, or choose another one.</source>
        <translation>请将其放回后重新比较，或选择另一个。</translation>
    </message>
    <message>
        <source>The server is not in the list any more.</source>
        <translation>服务器已不在列表中。</translation>
    </message>
    <message>
        <source>Add it again under this name, or compare with another one.</source>
        <translation>请以此名称重新添加它，或与另一个服务器比较。</translation>
    </message>
</context>
<context>
    <name>sonde::app::CurrentView</name>
    <message>
        <source>Reading the session…</source>
        <translation>正在读取会话…</translation>
    </message>
    <message>
        <source>Nothing listed</source>
        <translation>没有列出任何内容</translation>
    </message>
    <message>
        <source>The session has no lists of tools, resources or prompts. Its messages are below.</source>
        <translation>会话中没有工具、资源或提示词列表。其消息在下方。</translation>
    </message>
    <message>
        <source>Nothing offered</source>
        <translation>没有提供任何内容</translation>
    </message>
    <message>
        <source>The server declares no tools, resources or prompts.</source>
        <translation>服务器未声明工具、资源或提示词。</translation>
    </message>
    <message>
        <source>Press ▶ or Enter to start it.</source>
        <translation>按 ▶ 或 Enter 启动它。</translation>
    </message>
    <message>
        <source>%1: pid %2</source>
        <translation>%1：pid %2</translation>
    </message>
    <message>
        <source>Session %1</source>
        <translation>会话 %1</translation>
    </message>
    <message>
        <source>Session file: %1</source>
        <translation>会话文件：%1</translation>
    </message>
    <message>
        <source>▲ Recording in memory only</source>
        <translation>▲ 仅在内存中录制</translation>
    </message>
    <message>
        <source>● Recording to %1</source>
        <translation>● 正在录制到 %1</translation>
    </message>
    <message>
        <source>▲ Recording calls only: limit of %1 reached</source>
        <translation>▲ 仅录制调用：已达到 %1 的限制</translation>
    </message>
    <message>
        <source> · %1 not stored</source>
        <translation> · %1未存储</translation>
    </message>
    <message>
        <source>1 record</source>
        <translation>1 条记录</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 条记录</translation>
    </message>
    <message>
        <source> · %1 of %2</source>
        <translation> · %1 / %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>%1 messages</source>
        <translation>%1 条消息</translation>
    </message>
    <message>
        <source>Press ▶ or Enter to connect to it.</source>
        <translation>按 ▶ 或 Enter 连接它。</translation>
    </message>
</context>
<context>
    <name>sonde::app::DesktopNotification</name>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>sonde::app::GotoController</name>
    <message>
        <source>Enter opens the saved call, Ctrl+Enter runs it.</source>
        <translation>Enter 打开已保存的调用，Ctrl+Enter 运行它。</translation>
    </message>
    <message>
        <source>Enter runs the command.</source>
        <translation>Enter 运行命令。</translation>
    </message>
    <message>
        <source>Press Enter to open.</source>
        <translation>Enter 将其打开。</translation>
    </message>
    <message>
        <source>session · %1</source>
        <translation>会话 · %1</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>saved call · %1</source>
        <translation>已保存的调用 · %1</translation>
    </message>
    <message>
        <source>recorded session · %1</source>
        <translation>录制的会话 · %1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开启</translation>
    </message>
</context>
<context>
    <name>sonde::app::ImportController</name>
    <message>
        <source>Their secrets were not saved.</source>
        <translation>其机密未保存。</translation>
    </message>
    <message>
        <source>Import them again to retry.</source>
        <translation>请重新导入以重试。</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>”, “</source>
        <translation>”、“</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 以及另外 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 imported</source>
        <translation>已导入 %1 / %2</translation>
    </message>
    <message>
        <source>Left out: %1. %2</source>
        <translation>已略去：%1。%2</translation>
    </message>
    <message>
        <source>Added the missing secrets of “%1”.</source>
        <translation>已添加“%1”缺少的机密。</translation>
    </message>
    <message>
        <source>“%1” is already in the list, with its secrets.</source>
        <translation>“%1”及其机密已在列表中。</translation>
    </message>
    <message>
        <source>Its secrets were not saved.</source>
        <translation>其机密未保存。</translation>
    </message>
    <message>
        <source>Import it again to retry.</source>
        <translation>要重试，请再次导入。</translation>
    </message>
</context>
<context>
    <name>sonde::app::LastState</name>
    <message>
        <source>What was open last time cannot be restored</source>
        <translation>无法恢复上次打开的内容</translation>
    </message>
    <message>
        <source>Sonde did not exit properly last time</source>
        <translation>Sonde 上次未正常退出</translation>
    </message>
    <message>
        <source>No session was being recorded.</source>
        <translation>当时没有正在录制的会话。</translation>
    </message>
    <message>
        <source>The session is saved: %1</source>
        <translation>会话已保存：%1</translation>
    </message>
    <message>
        <source>The sessions are saved: %1 and %2 more</source>
        <translation>会话已保存：%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>sonde::app::MainWindow</name>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt or server</source>
        <translation>转到工具、资源、提示词或服务器</translation>
    </message>
    <message>
        <source>Replay a recorded session</source>
        <translation>回放录制的会话</translation>
    </message>
    <message>
        <source>Compare two servers or sessions</source>
        <translation>比较两个服务器或会话</translation>
    </message>
    <message>
        <source>Automatic responses</source>
        <translation>自动响应</translation>
    </message>
    <message>
        <source>Server requests</source>
        <translation>服务器请求</translation>
    </message>
    <message>
        <source>Show the requests of servers</source>
        <translation>显示服务器的请求</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Light, dark, high contrast, or match system</source>
        <translation>浅色、深色、高对比度或跟随系统</translation>
    </message>
</context>
<context>
    <name>sonde::app::MenuBar</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>服务器(&amp;S)</translation>
    </message>
    <message>
        <source>Sess&amp;ion</source>
        <translation>会话(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
</context>
<context>
    <name>sonde::app::NameDialog</name>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
</context>
<context>
    <name>sonde::app::OfferMenu</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open in another tab</source>
        <translation>在另一个标签页中打开</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Copy URI</source>
        <translation>复制 URI</translation>
    </message>
    <message>
        <source>Copy URI template</source>
        <translation>复制 URI 模板</translation>
    </message>
    <message>
        <source>Copy input schema</source>
        <translation>复制输入 Schema</translation>
    </message>
    <message>
        <source>Copy as sonde-cli command</source>
        <translation>复制为 sonde-cli 命令</translation>
    </message>
    <message>
        <source>Filter the timeline for it</source>
        <translation>为其筛选时间线</translation>
    </message>
    <message>
        <source>The command could not be made</source>
        <translation>无法生成命令</translation>
    </message>
    <message>
        <source>Copied a command for %1.</source>
        <translation>已复制 %1 的命令。</translation>
    </message>
</context>
<context>
    <name>sonde::app::PreferencesController</name>
    <message>
        <source>%1 Alt or F10 opens the menu while it is hidden.</source>
        <translation>%1菜单栏隐藏时，Alt 或 F10 可打开菜单。</translation>
    </message>
    <message>
        <source>To show the menu bar again, use the preferences.</source>
        <translation>要再次显示菜单栏，请使用首选项。</translation>
    </message>
    <message>
        <source>To show the menu bar again, press %1.</source>
        <translation>要再次显示菜单栏，请按 %1。</translation>
    </message>
    <message>
        <source>Hide menu bar</source>
        <translation>隐藏菜单栏</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Forget the remembered arguments of 1 tool?</source>
        <translation>忘记 1 个工具的已记住参数？</translation>
    </message>
    <message>
        <source>Forget the remembered arguments of %1 tools?</source>
        <translation>忘记 %1 个工具的已记住参数？</translation>
    </message>
    <message>
        <source>Forget arguments</source>
        <translation>忘记参数</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The arguments could not be forgotten</source>
        <translation>无法忘记参数</translation>
    </message>
</context>
<context>
    <name>sonde::app::RecentFiles</name>
    <message>
        <source>The list of recently used files is not well-formed.</source>
        <translation>最近使用的文件列表格式不正确。</translation>
    </message>
    <message>
        <source>There is no folder for the list of recently used files.</source>
        <translation>没有用于最近使用的文件列表的文件夹。</translation>
    </message>
    <message>
        <source>%1 is being changed by another program.</source>
        <translation>%1 正被其他程序更改。</translation>
    </message>
</context>
<context>
    <name>sonde::app::ReconnectBar</name>
    <message>
        <source>Reconnect all</source>
        <translation>全部重新连接</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 以及另外 %1 个</translation>
    </message>
    <message>
        <source>1 server was connected last time</source>
        <translation>上次连接了 1 个服务器</translation>
    </message>
    <message>
        <source>%1 servers were connected last time</source>
        <translation>上次连接了 %1 个服务器</translation>
    </message>
</context>
<context>
    <name>sonde::app::ReplayController</name>
    <message>
        <source>%1, current session</source>
        <translation>%1，当前会话</translation>
    </message>
    <message>
        <source>%1, session of %2</source>
        <translation>%1，%2 的会话</translation>
    </message>
    <message>
        <source>%1, replayed %2</source>
        <translation>%1，回放于 %2</translation>
    </message>
    <message>
        <source>“%1” is not in the list of servers, and how it is started was not saved.</source>
        <translation>“%1”不在服务器列表中，且其启动方式未保存。</translation>
    </message>
    <message>
        <source>Replay the session again and choose a server.</source>
        <translation>请重新回放会话并选择服务器。</translation>
    </message>
</context>
<context>
    <name>sonde::app::RequestController</name>
    <message>
        <source>1 request</source>
        <translation>1 个请求</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 个请求</translation>
    </message>
    <message>
        <source>%1 is waiting for you</source>
        <translation>%1 正在等待您操作</translation>
    </message>
    <message>
        <source>The server sent a request. Its call continues when you respond.</source>
        <translation>服务器发送了请求。您响应后其调用会继续。</translation>
    </message>
    <message>
        <source>Stop responding to %1 of %2 (%3)</source>
        <translation>停止响应 %2 的 %1（%3）</translation>
    </message>
    <message>
        <source>sent 1 more time</source>
        <translation>又发送了 1 次</translation>
    </message>
    <message>
        <source>sent %1 more times</source>
        <translation>又发送了 %1 次</translation>
    </message>
    <message>
        <source>1 automatic response ▾</source>
        <translation>1 个自动响应 ▾</translation>
    </message>
    <message>
        <source>%1 automatic responses ▾</source>
        <translation>%1 个自动响应 ▾</translation>
    </message>
</context>
<context>
    <name>sonde::app::SavedCallsController</name>
    <message>
        <source>The saved call cannot be opened</source>
        <translation>无法打开已保存的调用</translation>
    </message>
    <message>
        <source>This server has no tool “%1”.</source>
        <translation>此服务器没有工具“%1”。</translation>
    </message>
    <message>
        <source>A saved call is a small JSON file: a call of a tool, and what is expected of its response. Keep them in a folder beside the source of your server.</source>
        <translation>已保存的调用是一个小型 JSON 文件：一个工具调用，以及对其响应的期望。请将它们保存在与服务器源代码相邻的文件夹中。</translation>
    </message>
    <message>
        <source>From a collection of Postman, Insomnia or Hoppscotch, or from MCP Inspector</source>
        <translation>来自 Postman、Insomnia 或 Hoppscotch 的集合，或来自 MCP Inspector</translation>
    </message>
    <message>
        <source>Calls that you save appear here.</source>
        <translation>您保存的调用会显示在此处。</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Import calls…</source>
        <translation>导入调用…</translation>
    </message>
    <message>
        <source>No saved calls for this server.</source>
        <translation>此服务器没有已保存的调用。</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>全部运行</translation>
    </message>
    <message>
        <source>Run all in %1</source>
        <translation>运行 %1 中的全部调用</translation>
    </message>
    <message>
        <source>Run the saved calls of %1 one after the other and compare</source>
        <translation>依次运行 %1 的已保存调用并比较</translation>
    </message>
    <message>
        <source>Folders…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>The call was not saved</source>
        <translation>调用未保存</translation>
    </message>
    <message>
        <source>Saved to %1</source>
        <translation>已保存到 %1</translation>
    </message>
    <message>
        <source>%1 of %2 calls imported</source>
        <translation>已导入 %1 / %2 个调用</translation>
    </message>
    <message>
        <source>Imported 1 call to %2</source>
        <translation>已将 1 个调用导入到 %2</translation>
    </message>
    <message>
        <source>Imported %1 calls to %2</source>
        <translation>已将 %1 个调用导入到 %2</translation>
    </message>
    <message>
        <source>Folder of saved calls</source>
        <translation>已保存的调用的文件夹</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Show in file manager</source>
        <translation>在文件管理器中显示</translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Rename saved call</source>
        <translation>重命名已保存的调用</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>The saved call was not renamed</source>
        <translation>已保存的调用未重命名</translation>
    </message>
    <message>
        <source>%1 exists already.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>%1 could not be removed.</source>
        <translation>无法移除 %1。</translation>
    </message>
    <message>
        <source>Delete saved call</source>
        <translation>删除已保存的调用</translation>
    </message>
    <message>
        <source>Delete the file %1?</source>
        <translation>删除文件 %1？</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>The saved call was not deleted</source>
        <translation>已保存的调用未删除</translation>
    </message>
    <message>
        <source>The saved calls were not run</source>
        <translation>已保存的调用未运行</translation>
    </message>
    <message>
        <source>No server is started.</source>
        <translation>没有启动服务器。</translation>
    </message>
    <message>
        <source>“%1” is not connected.</source>
        <translation>“%1”未连接。</translation>
    </message>
    <message>
        <source>Start it first.</source>
        <translation>请先启动它。</translation>
    </message>
    <message>
        <source>%1 has no saved calls for this server.</source>
        <translation>%1 中没有此服务器的已保存调用。</translation>
    </message>
    <message>
        <source>1 saved call was skipped</source>
        <translation>已略去 1 个已保存的调用</translation>
    </message>
    <message>
        <source>%1 saved calls were skipped</source>
        <translation>已略去 %1 个已保存的调用</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>Run saved calls?</source>
        <translation>运行已保存的调用？</translation>
    </message>
    <message>
        <source>These saved calls use tools that may be destructive: %1.</source>
        <translation>这些已保存的调用使用了可能具有破坏性的工具：%1。</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>The server is not in the list any more.</source>
        <translation>服务器已不在列表中。</translation>
    </message>
    <message>
        <source>%1 was not changed</source>
        <translation>%1 未更改</translation>
    </message>
    <message>
        <source>Saved: %1 now has what it expects.</source>
        <translation>已保存：%1 现在包含其期望。</translation>
    </message>
    <message>
        <source>The server was removed.</source>
        <translation>服务器已移除。</translation>
    </message>
    <message>
        <source>Start server</source>
        <translation>启动服务器</translation>
    </message>
    <message>
        <source>Not changed: %1</source>
        <translation>未更改：%1</translation>
    </message>
    <message>
        <source>The calls of a folder run in the order of their file names. Add that call, or rename one of the two.</source>
        <translation>文件夹中的调用按文件名顺序运行。请添加该调用，或重命名其中之一。</translation>
    </message>
</context>
<context>
    <name>sonde::app::SecretKeeper</name>
    <message>
        <source>A secret of “%1” is still in the keychain</source>
        <translation>“%1”的一个机密仍在密钥链中</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 个服务器</translation>
    </message>
    <message>
        <source>Secrets of %1</source>
        <translation>%1 的机密</translation>
    </message>
    <message>
        <source>Without a keychain the values can be kept until Sonde is closed. They are never written to a file.</source>
        <translation>没有密钥链时，可将值保留到 Sonde 关闭为止。它们从不写入文件。</translation>
    </message>
    <message>
        <source>Keep for this session only</source>
        <translation>仅为本次会话保留</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>sonde::app::SendController</name>
    <message>
        <source>Call %1?</source>
        <translation>调用 %1？</translation>
    </message>
    <message>
        <source>This message calls “%1”, which may be destructive.</source>
        <translation>此消息会调用“%1”，它可能具有破坏性。</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>仍然发送</translation>
    </message>
    <message>
        <source>The message could not be sent</source>
        <translation>无法发送消息</translation>
    </message>
</context>
<context>
    <name>sonde::app::ServerController</name>
    <message>
        <source>No server named “%1”</source>
        <translation>没有名为“%1”的服务器</translation>
    </message>
    <message>
        <source>Add it with %1.</source>
        <translation>请使用 %1 添加它。</translation>
    </message>
    <message>
        <source>The server could not be added</source>
        <translation>无法添加服务器</translation>
    </message>
    <message>
        <source>Invalid command or URL</source>
        <translation>无效的命令或 URL</translation>
    </message>
    <message>
        <source>The server could not be changed</source>
        <translation>无法更改服务器</translation>
    </message>
    <message>
        <source>Rename server</source>
        <translation>重命名服务器</translation>
    </message>
    <message>
        <source>it must not be empty</source>
        <translation>不能为空</translation>
    </message>
    <message>
        <source>“%1” is a copy of “%2”. It was not started.</source>
        <translation>“%1”是“%2”的副本。它未启动。</translation>
    </message>
    <message>
        <source>Choose working directory</source>
        <translation>选择工作目录</translation>
    </message>
    <message>
        <source>Remove “%1” from the list? Its recorded sessions are kept.</source>
        <translation>从列表中移除“%1”？其录制的会话会保留。</translation>
    </message>
    <message>
        <source>1 call is running and will be cancelled.</source>
        <translation>1 个调用正在运行，将被取消。</translation>
    </message>
    <message>
        <source>%1 calls are running and will be cancelled.</source>
        <translation>%1 个调用正在运行，将被取消。</translation>
    </message>
    <message>
        <source>Remove server</source>
        <translation>移除服务器</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The server could not be removed</source>
        <translation>无法移除服务器</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>回放…</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>关闭会话</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Server info</source>
        <translation>服务器信息</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重启</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Copy as mcpServers JSON</source>
        <translation>复制为 mcpServers JSON</translation>
    </message>
    <message>
        <source>Export servers…</source>
        <translation>导出服务器…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>%1 calls are running or waiting and will be cancelled.</source>
        <translation>%1 个调用正在运行或等待，将被取消。</translation>
    </message>
    <message>
        <source>1 tab with arguments that you entered closes too and cannot be reopened.</source>
        <translation>包含您输入的参数的 1 个标签页也会关闭，且无法重新打开。</translation>
    </message>
    <message>
        <source>%1 tabs with arguments that you entered close too and cannot be reopened.</source>
        <translation>包含您输入的参数的 %1 个标签页也会关闭，且无法重新打开。</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>Name (%1):</source>
        <translation>名称（%1）：</translation>
    </message>
    <message>
        <source>Restart server</source>
        <translation>重启服务器</translation>
    </message>
    <message>
        <source>Reconnect to server</source>
        <translation>重新连接到服务器</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
</context>
<context>
    <name>sonde::app::Shortcuts</name>
    <message>
        <source>it opens the menu %1</source>
        <translation>它会打开菜单 %1</translation>
    </message>
    <message>
        <source>it saves the saved call of the tab</source>
        <translation>保存该标签页中已保存的调用</translation>
    </message>
</context>
<context>
    <name>sonde::app::StateFile</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>The file was kept as %1.</source>
        <translation>文件已保留为 %1。</translation>
    </message>
    <message>
        <source>Remove or repair the file. Until then nothing is kept.</source>
        <translation>请移除或修复该文件。在此之前不会保留任何内容。</translation>
    </message>
    <message>
        <source>%1 would be too large.</source>
        <translation>%1 会过大。</translation>
    </message>
</context>
<context>
    <name>sonde::app::StorageWarnings</name>
    <message>
        <source>servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Other users can change your list of servers</source>
        <translation>其他用户可以更改您的服务器列表</translation>
    </message>
    <message>
        <source>Restrict access</source>
        <translation>限制访问</translation>
    </message>
    <message>
        <source>Access could not be restricted</source>
        <translation>无法限制访问</translation>
    </message>
    <message>
        <source>sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>The session file can no longer be written; new records stay in memory</source>
        <translation>会话文件已无法写入；新记录保留在内存中</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Change limit…</source>
        <translation>更改限制…</translation>
    </message>
    <message>
        <source>The session of %1 is close to its limit: %2 of %3</source>
        <translation>%1 的会话接近其限制：%2 / %3</translation>
    </message>
    <message>
        <source>Beyond it, calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted, not stored.</source>
        <translation>超出后仍会录制调用。服务器的通知、标准错误及其他未经请求的输出只计数，不存储。</translation>
    </message>
    <message>
        <source>The session of %1 has reached its limit of %2</source>
        <translation>%1 的会话已达到 %2 的限制</translation>
    </message>
    <message>
        <source>Calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted from here on, not stored.</source>
        <translation>仍会录制调用。从此处起，服务器的通知、标准错误及其他未经请求的输出只计数，不存储。</translation>
    </message>
    <message>
        <source>The list of servers cannot be read</source>
        <translation>无法读取服务器列表</translation>
    </message>
    <message>
        <source>Not saved, only kept in memory: %1</source>
        <translation>未保存，仅保留在内存中：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Changes to the list of servers are still in memory only</source>
        <translation>对服务器列表的更改仍仅在内存中</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 个会话</translation>
    </message>
    <message>
        <source>the session of “%1”</source>
        <translation>“%1”的会话</translation>
    </message>
    <message>
        <source>open tabs</source>
        <translation>打开的标签页</translation>
    </message>
</context>
<context>
    <name>sonde::app::TabController</name>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>%1 (not connected)</source>
        <translation>%1（未连接）</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>This link comes from the server. Open it in your browser?</source>
        <translation>此链接来自服务器。是否在浏览器中打开？</translation>
    </message>
    <message>
        <source>Started, but the approval could not be saved</source>
        <translation>已启动，但无法保存批准</translation>
    </message>
    <message>
        <source>No response to ping</source>
        <translation>对 ping 无响应</translation>
    </message>
    <message>
        <source>saved call</source>
        <translation>已保存的调用</translation>
    </message>
    <message>
        <source>Preview: double-click the tab to keep it</source>
        <translation>预览：双击标签页可保留</translation>
    </message>
    <message>
        <source>%1 calls are still running. Closing their tabs cancels them.</source>
        <translation>%1 个调用仍在运行。关闭其标签页会取消它们。</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab cancels the calls that are left.</source>
        <translation>“%1”仍在运行。关闭其标签页会取消剩余的调用。</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab cancels the call.</source>
        <translation>“%1”仍在运行。关闭其标签页会取消该调用。</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>Close tabs</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>Cancel call and close</source>
        <translation>取消调用并关闭</translation>
    </message>
    <message>
        <source>Cancel calls and close</source>
        <translation>取消调用并关闭</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>保持打开</translation>
    </message>
    <message>
        <source>%1 continues as a task: see Tasks on the server&apos;s page.</source>
        <translation>%1 作为任务继续：请参见服务器页面上的“任务”。</translation>
    </message>
    <message>
        <source>%1 was cancelled because its tab was closed.</source>
        <translation>%1 已取消，因为其标签页已关闭。</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab stops the replay.</source>
        <translation>“%1”仍在运行。关闭其标签页会停止回放。</translation>
    </message>
    <message>
        <source>Stop replay and close</source>
        <translation>停止回放并关闭</translation>
    </message>
    <message>
        <source>The arguments of “%1” are not saved in its file.</source>
        <translation>“%1”的参数尚未保存到其文件中。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>sonde::app::TabMenu</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close others</source>
        <translation>关闭其他标签页</translation>
    </message>
    <message>
        <source>Close to the right</source>
        <translation>关闭右侧标签页</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
</context>
<context>
    <name>sonde::app::UseController</name>
    <message>
        <source>Use in…</source>
        <translation>用于…</translation>
    </message>
    <message>
        <source>saved call</source>
        <translation>已保存的调用</translation>
    </message>
    <message>
        <source>open tab</source>
        <translation>打开的标签页</translation>
    </message>
    <message>
        <source>Not used: the JSON of these arguments has to be fixed first.</source>
        <translation>未使用：须先修正这些参数的 JSON。</translation>
    </message>
</context>
<context>
    <name>sonde::app::WaitingTab</name>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Secrets and very long values were not saved. Enter them again.</source>
        <translation>机密和过长的值未保存。请重新输入。</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>What you typed is kept. Nothing runs until you reconnect.</source>
        <translation>您输入的内容已保留。在您重新连接之前不会运行任何内容。</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Waiting for the lists of the server…</source>
        <translation>正在等待服务器的列表…</translation>
    </message>
    <message>
        <source>No longer offered by the server</source>
        <translation>服务器不再提供</translation>
    </message>
    <message>
        <source>What you typed is kept.</source>
        <translation>您输入的内容已保留。</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Saved calls · %1</source>
        <translation>已保存的调用 · %1</translation>
    </message>
    <message>
        <source>Nothing runs until you reconnect.</source>
        <translation>在您重新连接之前不会运行任何内容。</translation>
    </message>
</context>
<context>
    <name>sonde::app::WarningBar</name>
    <message>
        <source>Suggested action</source>
        <translation>建议的操作</translation>
    </message>
</context>
<context>
    <name>sonde::app::WindowController</name>
    <message>
        <source>1 call is running. Quitting cancels it.</source>
        <translation>1 个调用正在运行。退出会取消它。</translation>
    </message>
    <message>
        <source>%1 calls are running. Quitting cancels them.</source>
        <translation>%1 个调用正在运行。退出会取消它们。</translation>
    </message>
    <message>
        <source>Quit Sonde</source>
        <translation>退出 Sonde</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>%1 calls are running or waiting. Quitting cancels them.</source>
        <translation>%1 个调用正在运行或等待。退出会取消它们。</translation>
    </message>
    <message>
        <source>Not saved, only kept in memory: %1. Quitting discards it.</source>
        <translation>未保存，仅保留在内存中：%1。退出会丢弃这些内容。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>sonde::app::WindowHost</name>
    <message>
        <source>The language changes when no call is running and no server waits for a response.</source>
        <translation>当没有正在运行的调用且没有服务器等待响应时，语言才会更改。</translation>
    </message>
</context>
<context>
    <name>sonde::app::WindowState</name>
    <message>
        <source>it is damaged</source>
        <translation>它已损坏</translation>
    </message>
    <message>
        <source>it was written by a newer version of Sonde</source>
        <translation>它由较新版本的 Sonde 写入</translation>
    </message>
</context>
<context>
    <name>sonde::app::Workspace</name>
    <message>
        <source>Demo server</source>
        <translation>演示服务器</translation>
    </message>
    <message>
        <source>The sign-in of “%1” is still in the keychain</source>
        <translation>“%1”的登录信息仍在密钥链中</translation>
    </message>
    <message>
        <source>The tokens of “%1” were not revoked</source>
        <translation>“%1”的令牌未吊销</translation>
    </message>
    <message>
        <source>A server with this name already exists.</source>
        <translation>已存在同名的服务器。</translation>
    </message>
    <message>
        <source>The session %1 cannot be opened</source>
        <translation>无法打开会话 %1</translation>
    </message>
    <message>
        <source>1 part is damaged and was skipped.</source>
        <translation>1 个部分已损坏，已跳过。</translation>
    </message>
    <message>
        <source>%1 parts are damaged and were skipped.</source>
        <translation>%1 个部分已损坏，已跳过。</translation>
    </message>
    <message>
        <source> The rest is shown.</source>
        <translation> 其余部分已显示。</translation>
    </message>
    <message>
        <source>At byte %1: %2</source>
        <translation>字节 %1 处：%2</translation>
    </message>
    <message>
        <source>At bytes %1: %2</source>
        <translation>字节 %1 处：%2</translation>
    </message>
    <message>
        <source>%1 more; sonde-cli log lists them.</source>
        <translation>还有 %1 个；sonde-cli log 会列出它们。</translation>
    </message>
    <message>
        <source>Parts of this session are damaged</source>
        <translation>此会话的部分内容已损坏</translation>
    </message>
</context>
<context>
    <name>sonde::app::WorkspaceItem</name>
    <message>
        <source>recorded %1</source>
        <translation>录制于 %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source> · built in</source>
        <translation> · 内置</translation>
    </message>
</context>
<context>
    <name>sonde::json</name>
    <message>
        <source>Unexpected NUL byte.</source>
        <translation>意外的 NUL 字节。</translation>
    </message>
    <message>
        <source>Unexpected control character U+%1.</source>
        <translation>意外的控制字符 U+%1。</translation>
    </message>
    <message>
        <source>Byte 0x%1 is not valid UTF-8.</source>
        <translation>字节 0x%1 不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>Unexpected &apos;%1&apos;.</source>
        <translation>意外的 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>The text begins with a byte order mark.</source>
        <translation>文本以字节顺序标记开头。</translation>
    </message>
    <message>
        <source>Unexpected text after the value.</source>
        <translation>值之后有意外的文本。</translation>
    </message>
    <message>
        <source>Expected a value before &apos;%1&apos;.</source>
        <translation>&apos;%1&apos; 之前应为值。</translation>
    </message>
    <message>
        <source>Expected a value before &apos;,&apos;.</source>
        <translation>&apos;,&apos; 之前应为值。</translation>
    </message>
    <message>
        <source>Expected &apos;,&apos; or &apos;%1&apos;.</source>
        <translation>应为 &apos;,&apos; 或 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>Expected a property before &apos;%1&apos;.</source>
        <translation>&apos;%1&apos; 之前应为属性。</translation>
    </message>
    <message>
        <source>Expected a property before &apos;,&apos;.</source>
        <translation>&apos;,&apos; 之前应为属性。</translation>
    </message>
    <message>
        <source>Expected a key before &apos;%1&apos;.</source>
        <translation>&apos;%1&apos; 之前应为键。</translation>
    </message>
    <message>
        <source>Expected &apos;:&apos;.</source>
        <translation>应为 &apos;:&apos;。</translation>
    </message>
    <message>
        <source>Nested deeper than %1 levels; the contents of this container are not read.</source>
        <translation>嵌套深度超过 %1 层；不读取此容器的内容。</translation>
    </message>
    <message>
        <source>Expected &apos;%2&apos; instead of &apos;%1&apos;.</source>
        <translation>应为 &apos;%2&apos;，而不是 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>Duplicate key &apos;%1&apos;; most parsers keep only the last.</source>
        <translation>键 &apos;%1&apos; 重复；大多数解析器只保留最后一个。</translation>
    </message>
    <message>
        <source>Unexpected end of text; expected &apos;%1&apos;.</source>
        <translation>文本意外结束；应为 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>The text is empty.</source>
        <translation>文本为空。</translation>
    </message>
    <message>
        <source>Further findings not listed: %1</source>
        <translation>未列出的其他检查结果：%1</translation>
    </message>
    <message>
        <source>Unterminated string.</source>
        <translation>字符串未终止。</translation>
    </message>
    <message>
        <source>&apos;\u&apos; must be followed by four hexadecimal digits.</source>
        <translation>&apos;\u&apos; 之后必须是四个十六进制数字。</translation>
    </message>
    <message>
        <source>Invalid escape sequence.</source>
        <translation>无效的转义序列。</translation>
    </message>
    <message>
        <source>Unpaired surrogate; most parsers reject it.</source>
        <translation>未配对的代理项；大多数解析器会拒绝它。</translation>
    </message>
    <message>
        <source>Number outside the range of a 64-bit integer or a double; most parsers read a different value.</source>
        <translation>数字超出 64 位整数或双精度数的范围；大多数解析器会读取为其他值。</translation>
    </message>
    <message>
        <source>Invalid number.</source>
        <translation>无效的数字。</translation>
    </message>
    <message>
        <source>The text has %1 bytes; the limit is %2.</source>
        <translation>文本有 %1 字节；上限为 %2。</translation>
    </message>
</context>
<context>
    <name>sonde::schema</name>
    <message>
        <source>unclosed “[”</source>
        <translation>“[”未闭合</translation>
    </message>
    <message>
        <source>a quantifier follows another quantifier</source>
        <translation>量词之后又是量词</translation>
    </message>
    <message>
        <source>“%1” is not a valid group</source>
        <translation>“%1”不是有效的分组</translation>
    </message>
    <message>
        <source>it ends in a backslash</source>
        <translation>它以反斜杠结尾</translation>
    </message>
    <message>
        <source>“\%1” is not a valid escape in ECMA-262</source>
        <translation>“\%1”在 ECMA-262 中不是有效的转义</translation>
    </message>
    <message>
        <source>“\u” is not followed by a character&apos;s number</source>
        <translation>“\u”之后没有字符编号</translation>
    </message>
    <message>
        <source>“\p” is not followed by a property in braces</source>
        <translation>“\p”之后没有花括号中的属性</translation>
    </message>
    <message>
        <source>it is too long</source>
        <translation>它过长</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a boolean</source>
        <translation>布尔值</translation>
    </message>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>Give %1</source>
        <translation>请提供 %1</translation>
    </message>
    <message>
        <source>, or </source>
        <translation>，或 </translation>
    </message>
    <message>
        <source>Give either %1 or %2</source>
        <translation>请提供 %1 或 %2 之一</translation>
    </message>
    <message>
        <source>“%1” is %2</source>
        <translation>“%1”为 %2</translation>
    </message>
    <message>
        <source>“%1” is given</source>
        <translation>提供了“%1”</translation>
    </message>
    <message>
        <source>must be at most %1</source>
        <translation>必须小于或等于 %1</translation>
    </message>
    <message>
        <source>must be at least %1</source>
        <translation>必须大于或等于 %1</translation>
    </message>
    <message>
        <source>must be less than %1</source>
        <translation>必须小于 %1</translation>
    </message>
    <message>
        <source>must be greater than %1</source>
        <translation>必须大于 %1</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>必须是整数</translation>
    </message>
    <message>
        <source>must be a multiple of %1</source>
        <translation>必须是 %1 的倍数</translation>
    </message>
    <message>
        <source>must have at most %1 character, has %2</source>
        <translation>最多只能有 %1 个字符，现有 %2 个</translation>
    </message>
    <message>
        <source>must have at most %1 characters, has %2</source>
        <translation>最多只能有 %1 个字符，现有 %2 个</translation>
    </message>
    <message>
        <source>must have at least %1 character, has %2</source>
        <translation>至少须有 %1 个字符，现有 %2 个</translation>
    </message>
    <message>
        <source>must have at least %1 characters, has %2</source>
        <translation>至少须有 %1 个字符，现有 %2 个</translation>
    </message>
    <message>
        <source>must have at most %1 item, has %2</source>
        <translation>最多只能有 %1 项，现有 %2 项</translation>
    </message>
    <message>
        <source>must have at most %1 items, has %2</source>
        <translation>最多只能有 %1 项，现有 %2 项</translation>
    </message>
    <message>
        <source>must have at least %1 item, has %2</source>
        <translation>至少须有 %1 项，现有 %2 项</translation>
    </message>
    <message>
        <source>must have at least %1 items, has %2</source>
        <translation>至少须有 %1 项，现有 %2 项</translation>
    </message>
    <message>
        <source>must have at most %1 property, has %2</source>
        <translation>最多只能有 %1 个属性，现有 %2 个</translation>
    </message>
    <message>
        <source>must have at most %1 properties, has %2</source>
        <translation>最多只能有 %1 个属性，现有 %2 个</translation>
    </message>
    <message>
        <source>must have at least %1 property, has %2</source>
        <translation>至少须有 %1 个属性，现有 %2 个</translation>
    </message>
    <message>
        <source>must have at least %1 properties, has %2</source>
        <translation>至少须有 %1 个属性，现有 %2 个</translation>
    </message>
    <message>
        <source>must have at most %1 item that %2; it has %3</source>
        <translation>最多只能有 %1 个满足以下条件的项：%2；现有 %3 个</translation>
    </message>
    <message>
        <source>must have at most %1 items each of which %2; it has %3</source>
        <translation>最多只能有 %1 个满足以下条件的项：%2；现有 %3 个</translation>
    </message>
    <message>
        <source>must have at least %1 item that %2</source>
        <translation>至少须有 %1 个满足以下条件的项：%2</translation>
    </message>
    <message>
        <source>must have at least %1 items each of which %2; it has %3</source>
        <translation>至少须有 %1 个满足以下条件的项：%2；现有 %3 个</translation>
    </message>
    <message>
        <source>must not be a multiple of %1</source>
        <translation>不得是 %1 的倍数</translation>
    </message>
    <message>
        <source>is %1</source>
        <translation>为 %1</translation>
    </message>
    <message>
        <source>is at least %1</source>
        <translation>大于或等于 %1</translation>
    </message>
    <message>
        <source>is at most %1</source>
        <translation>小于或等于 %1</translation>
    </message>
    <message>
        <source>is greater than %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>is less than %1</source>
        <translation>小于 %1</translation>
    </message>
    <message>
        <source>is a multiple of %1</source>
        <translation>是 %1 的倍数</translation>
    </message>
    <message>
        <source>matches the pattern %1</source>
        <translation>匹配模式 %1</translation>
    </message>
    <message>
        <source>has %1</source>
        <translation>具有 %1</translation>
    </message>
    <message>
        <source>is “%1”</source>
        <translation>为“%1”</translation>
    </message>
    <message>
        <source>must be %1</source>
        <translation>必须是 %1</translation>
    </message>
    <message>
        <source>cannot have any value</source>
        <translation>不能有任何值</translation>
    </message>
    <message>
        <source>must be one of %1 and %2 more</source>
        <translation>必须是 %1 以及另外 %2 个值之一</translation>
    </message>
    <message>
        <source>must be one of %1</source>
        <translation>必须是 %1 之一</translation>
    </message>
    <message>
        <source> (did you mean “%1”?)</source>
        <translation> （您是否想输入“%1”？）</translation>
    </message>
    <message>
        <source>must not be empty</source>
        <translation>不得为空</translation>
    </message>
    <message>
        <source>must match the pattern %1</source>
        <translation>必须匹配模式 %1</translation>
    </message>
    <message>
        <source>%1, such as “%2”</source>
        <translation>%1，例如“%2”</translation>
    </message>
    <message>
        <source>a date and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>a date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>a time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>a duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>an email address</source>
        <translation>电子邮件地址</translation>
    </message>
    <message>
        <source>a host name</source>
        <translation>主机名</translation>
    </message>
    <message>
        <source>an IPv4 address</source>
        <translation>IPv4 地址</translation>
    </message>
    <message>
        <source>an IPv6 address</source>
        <translation>IPv6 地址</translation>
    </message>
    <message>
        <source>a URI</source>
        <translation>URI</translation>
    </message>
    <message>
        <source>a URI or a relative reference</source>
        <translation>URI 或相对引用</translation>
    </message>
    <message>
        <source>an IRI</source>
        <translation>IRI</translation>
    </message>
    <message>
        <source>an IRI or a relative reference</source>
        <translation>IRI 或相对引用</translation>
    </message>
    <message>
        <source>a URI template</source>
        <translation>URI 模板</translation>
    </message>
    <message>
        <source>a UUID</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>a JSON Pointer</source>
        <translation>JSON Pointer</translation>
    </message>
    <message>
        <source>a relative JSON Pointer</source>
        <translation>相对 JSON Pointer</translation>
    </message>
    <message>
        <source>a regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>must match the format “%1”</source>
        <translation>必须匹配格式“%1”</translation>
    </message>
    <message>
        <source>should match the format “%1”</source>
        <translation>应匹配格式“%1”</translation>
    </message>
    <message>
        <source>must be %1 such as %2</source>
        <translation>必须是 %1，例如 %2</translation>
    </message>
    <message>
        <source>should be %1 such as %2</source>
        <translation>应是 %1，例如 %2</translation>
    </message>
    <message>
        <source>must be encoded in %1: %2</source>
        <translation>必须以 %1 编码：%2</translation>
    </message>
    <message>
        <source>should be encoded in %1: %2</source>
        <translation>应以 %1 编码：%2</translation>
    </message>
    <message>
        <source>must hold a text of the media type %1</source>
        <translation>必须包含媒体类型为 %1 的文本</translation>
    </message>
    <message>
        <source>should hold a text of the media type %1</source>
        <translation>应包含媒体类型为 %1 的文本</translation>
    </message>
    <message>
        <source>has the required form</source>
        <translation>具有所需的形式</translation>
    </message>
    <message>
        <source>must have unique items: items %1 and %2 are equal</source>
        <translation>各项必须唯一：第 %1 项与第 %2 项相等</translation>
    </message>
    <message>
        <source>is required</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>is not allowed here</source>
        <translation>此处不允许</translation>
    </message>
    <message>
        <source>is not allowed here: there can be only 1 item</source>
        <translation>此处不允许：只能有 1 项</translation>
    </message>
    <message>
        <source>is not allowed here: there can be only %1 items</source>
        <translation>此处不允许：只能有 %1 项</translation>
    </message>
    <message>
        <source>%1 cannot be given</source>
        <translation>不能提供 %1</translation>
    </message>
    <message>
        <source>%1 cannot both be given</source>
        <translation>不能同时提供 %1</translation>
    </message>
    <message>
        <source>%1 cannot all be given</source>
        <translation>不能全部提供 %1</translation>
    </message>
    <message>
        <source>Neither %1 nor %2 can be given</source>
        <translation>%1 和 %2 均不能提供</translation>
    </message>
    <message>
        <source>None of %1 can be given</source>
        <translation>%1 均不能提供</translation>
    </message>
    <message>
        <source>must not be %1</source>
        <translation>不得是 %1</translation>
    </message>
    <message>
        <source>must not match the pattern %1</source>
        <translation>不得匹配模式 %1</translation>
    </message>
    <message>
        <source>is not allowed when %1</source>
        <translation>当 %1 时不允许</translation>
    </message>
    <message>
        <source>has a form that is not allowed</source>
        <translation>具有不允许的形式</translation>
    </message>
    <message>
        <source>must match %1</source>
        <translation>必须匹配 %1</translation>
    </message>
    <message>
        <source>must match one of %1 alternatives</source>
        <translation>必须匹配 %1 个备选项之一</translation>
    </message>
    <message>
        <source>Give only one of %1</source>
        <translation>请只提供 %1 之一</translation>
    </message>
    <message>
        <source>must match only one of %1</source>
        <translation>必须只匹配 %1 之一</translation>
    </message>
    <message>
        <source>must match only one of %1 alternatives, matches %2</source>
        <translation>必须只匹配 %1 个备选项之一，实际匹配 %2 个</translation>
    </message>
    <message>
        <source>The name “%1” %2</source>
        <translation>名称“%1”%2</translation>
    </message>
    <message>
        <source>%1 when %2</source>
        <translation>当 %2 时，%1</translation>
    </message>
    <message>
        <source>%1 unless %2</source>
        <translation>除非 %2，否则%1</translation>
    </message>
    <message>
        <source>not checked: not a valid schema</source>
        <translation>未检查：不是有效的 Schema</translation>
    </message>
    <message>
        <source>not checked: the schema is nested deeper than %1 levels</source>
        <translation>未检查：Schema 的嵌套深度超过 %1 层</translation>
    </message>
    <message>
        <source>not checked: the schema is too large or too complex</source>
        <translation>未检查：Schema 过大或过于复杂</translation>
    </message>
    <message>
        <source>not checked: “%1” cannot be resolved; remote schemas are never fetched</source>
        <translation>未检查：无法解析“%1”；从不获取远程 Schema</translation>
    </message>
    <message>
        <source>not checked: “%1” refers to itself</source>
        <translation>未检查：“%1”引用了自身</translation>
    </message>
    <message>
        <source>not checked: part of the schema could not be applied</source>
        <translation>未检查：Schema 的一部分无法应用</translation>
    </message>
    <message>
        <source>not checked: unknown type “%1”</source>
        <translation>未检查：未知类型“%1”</translation>
    </message>
    <message>
        <source>not checked: whether it is a multiple of %1</source>
        <translation>未检查：是否为 %1 的倍数</translation>
    </message>
    <message>
        <source>not checked: the pattern %1 cannot be used: %2</source>
        <translation>未检查：无法使用模式 %1：%2</translation>
    </message>
    <message>
        <source>not checked: the pattern %1 takes too long to evaluate</source>
        <translation>未检查：模式 %1 的求值时间过长</translation>
    </message>
    <message>
        <source>character %1, “%2”, is not allowed</source>
        <translation>不允许第 %1 个字符“%2”</translation>
    </message>
    <message>
        <source>character %1 is behind the padding</source>
        <translation>第 %1 个字符位于填充之后</translation>
    </message>
    <message>
        <source>the last byte is incomplete</source>
        <translation>最后一个字节不完整</translation>
    </message>
    <message>
        <source>it must end with “%1”</source>
        <translation>必须以“%1”结尾</translation>
    </message>
    <message>
        <source>it must not end with “=”</source>
        <translation>不得以“=”结尾</translation>
    </message>
    <message>
        <source>must be valid JSON</source>
        <translation>必须是有效的 JSON</translation>
    </message>
    <message>
        <source>should be valid JSON</source>
        <translation>应是有效的 JSON</translation>
    </message>
    <message>
        <source>not checked: “%1” cannot be resolved</source>
        <translation>未检查：无法解析“%1”</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AbbreviatedRuns</name>
    <message>
        <source>… %1 more characters …</source>
        <translation>… 还有 %1 个字符 …</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AboutDialog</name>
    <message>
        <source>About Sonde</source>
        <translation>关于 Sonde</translation>
    </message>
    <message>
        <source>Native explorer for Model Context Protocol servers</source>
        <translation>Model Context Protocol 服务器的原生浏览工具</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>© 2026 The Sonde developers. Sonde is free software under the Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0</source>
        <translation>© 2026 The Sonde developers。Sonde 是自由软件，以 Apache License 2.0 版授权：https://www.apache.org/licenses/LICENSE-2.0</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>复制版本信息</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AddressBox</name>
    <message>
        <source>(no host)</source>
        <translation>（无主机）</translation>
    </message>
    <message>
        <source>Host: %1</source>
        <translation>主机：%1</translation>
    </message>
    <message>
        <source>The whole URL</source>
        <translation>完整的 URL</translation>
    </message>
    <message>
        <source>Copy URL</source>
        <translation>复制 URL</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AddressEditor</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Enter a URL to open it in the browser.</source>
        <translation>请输入要在浏览器中打开的 URL。</translation>
    </message>
    <message>
        <source>This URL is too long to be opened.</source>
        <translation>此 URL 过长，无法打开。</translation>
    </message>
    <message>
        <source>Open in the browser, after a confirmation</source>
        <translation>确认后在浏览器中打开</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ApprovalDialog</name>
    <message>
        <source>Start this program?</source>
        <translation>启动此程序？</translation>
    </message>
    <message>
        <source>Connect to this server?</source>
        <translation>连接到此服务器？</translation>
    </message>
    <message>
        <source>“%1” wants to start this program. It runs with your permissions and can read, change or send anything you can.</source>
        <translation>“%1”要启动此程序。它以您的权限运行，您能读取、更改或发送的一切，它都可以。</translation>
    </message>
    <message>
        <source>“%1” wants to connect to this server. Sonde will send the recorded calls to it.</source>
        <translation>“%1”要连接到此服务器。Sonde 会向其发送录制的调用。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ApprovalView</name>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>This server has changed since you approved it</source>
        <translation>自您批准以来，此服务器已更改</translation>
    </message>
    <message>
        <source>Start this program?</source>
        <translation>启动此程序？</translation>
    </message>
    <message>
        <source>Connect to this server?</source>
        <translation>连接到此服务器？</translation>
    </message>
    <message>
        <source>It runs with your permissions and can read, change or send anything you can.</source>
        <translation>它以您的权限运行，您能读取、更改或发送的一切，它都可以。</translation>
    </message>
    <message>
        <source>Sonde sends requests to this address.</source>
        <translation>Sonde 会向此地址发送请求。</translation>
    </message>
    <message>
        <source>Sonde sends the headers below with every request.</source>
        <translation>Sonde 会随每个请求发送下面的标头。</translation>
    </message>
    <message>
        <source>Nothing has been started or sent yet. Sonde will ask again if any of this changes.</source>
        <translation>尚未启动或发送任何内容。如果其中任何一项发生变化，Sonde 会再次询问。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ArgumentSuggestions</name>
    <message>
        <source>%1 more; type to narrow the list</source>
        <translation>还有 %1 个；输入以缩小列表</translation>
    </message>
    <message>
        <source>More; type to narrow the list</source>
        <translation>还有更多；输入以缩小列表</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AudioModule</name>
    <message>
        <source>Qt Multimedia has no backend that can be loaded.</source>
        <translation>Qt Multimedia 没有可加载的后端。</translation>
    </message>
    <message>
        <source>There is no sound device.</source>
        <translation>没有声音设备。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AudioView</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>Open in player</source>
        <translation>在播放器中打开</translation>
    </message>
    <message>
        <source>Open in another program</source>
        <translation>在其他程序中打开</translation>
    </message>
    <message>
        <source>Sonde&apos;s audio player is not installed. Open the audio in another program, or save it.</source>
        <translation>未安装 Sonde 的音频播放器。请在其他程序中打开音频，或将其保存。</translation>
    </message>
    <message>
        <source>Not recognized as audio. You can save it.</source>
        <translation>未识别为音频。可以将其保存。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Pause audio</source>
        <translation>暂停音频</translation>
    </message>
    <message>
        <source>Play audio</source>
        <translation>播放音频</translation>
    </message>
    <message>
        <source>Cannot be played. %1</source>
        <translation>无法播放。%1</translation>
    </message>
    <message>
        <source>Not opened: %1</source>
        <translation>未打开：%1</translation>
    </message>
    <message>
        <source>Not opened: no program for audio files was found. Save it instead.</source>
        <translation>未打开：未找到用于音频文件的程序。请改为保存。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::BooleanEditor</name>
    <message>
        <source>Omitted</source>
        <translation>已省略</translation>
    </message>
</context>
<context>
    <name>sonde::ui::BytesText</name>
    <message>
        <source>… 1 more byte</source>
        <translation>… 还有 1 个字节</translation>
    </message>
    <message>
        <source>… %1 more bytes</source>
        <translation>… 还有 %1 个字节</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallFolderChoice</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>No folder chosen</source>
        <translation>未选择文件夹</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Choose a folder, such as one next to the server&apos;s source code.</source>
        <translation>请选择一个文件夹，例如与服务器源代码相邻的文件夹。</translation>
    </message>
    <message>
        <source>Folder of saved calls</source>
        <translation>已保存的调用的文件夹</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallHistoryModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>(no arguments)</source>
        <translation>（无参数）</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallHistoryView</name>
    <message>
        <source>Previous calls</source>
        <translation>先前的调用</translation>
    </message>
    <message>
        <source>Compare with the shown response</source>
        <translation>与显示的响应比较</translation>
    </message>
    <message>
        <source>Compare with the call before it</source>
        <translation>与其前一个调用比较</translation>
    </message>
    <message>
        <source>Restore arguments</source>
        <translation>恢复参数</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>保存为已保存的调用…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallPanel</name>
    <message>
        <source>Call at %1</source>
        <translation>%1 的调用</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Form and JSON</source>
        <translation>表单和 JSON</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Copy as ▾</source>
        <translation>复制为 ▾</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>复制为</translation>
    </message>
    <message>
        <source>Arguments as JSON</source>
        <translation>JSON 格式的参数</translation>
    </message>
    <message>
        <source>sonde-cli command</source>
        <translation>sonde-cli 命令</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>保存为已保存的调用…</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>Show the inputSchema of this tool</source>
        <translation>显示此工具的 inputSchema</translation>
    </message>
    <message>
        <source>Fill with example</source>
        <translation>用示例填充</translation>
    </message>
    <message>
        <source>Replace the arguments with a value that the schema allows</source>
        <translation>将参数替换为 Schema 允许的值</translation>
    </message>
    <message>
        <source>No example was found that this schema allows.</source>
        <translation>未找到此 Schema 允许的示例。</translation>
    </message>
    <message>
        <source>Filled in from your last call.</source>
        <translation>已根据上次调用填入。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Previous calls</source>
        <translation>先前的调用</translation>
    </message>
    <message>
        <source>Click to show the response; double-click to restore the arguments</source>
        <translation>单击可显示响应；双击可恢复参数</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（无名称）</translation>
    </message>
    <message>
        <source>%1 This tool cannot be called over HTTP. %2</source>
        <translation>%1 此工具无法通过 HTTP 调用。%2</translation>
    </message>
    <message>
        <source>%1  Ctrl+↵</source>
        <translation>%1  Ctrl+↵</translation>
    </message>
    <message>
        <source>The server suggests values as you type. Ctrl+Space asks for them.</source>
        <translation>输入时服务器会给出建议。Ctrl+Space 可请求建议。</translation>
    </message>
    <message>
        <source>No longer offered by the server.</source>
        <translation>服务器不再提供。</translation>
    </message>
    <message>
        <source>The result will appear here. Press Ctrl+Enter to call.</source>
        <translation>结果会显示在此处。按 Ctrl+Enter 进行调用。</translation>
    </message>
    <message>
        <source>This tool cannot be called over HTTP.</source>
        <translation>此工具无法通过 HTTP 调用。</translation>
    </message>
    <message>
        <source>The JSON is no object. The form shows the last value that was one.</source>
        <translation>该 JSON 不是对象。表单显示最后一个为对象的值。</translation>
    </message>
    <message>
        <source>Fix the JSON to edit the form: %1. The form shows the last valid value.</source>
        <translation>请先修正 JSON 再编辑表单：%1。表单显示最后一个有效值。</translation>
    </message>
    <message>
        <source>The form needs a JSON object.</source>
        <translation>表单需要 JSON 对象。</translation>
    </message>
    <message>
        <source>Fix the JSON first: %1</source>
        <translation>请先修正 JSON：%1</translation>
    </message>
    <message>
        <source>not callable over HTTP</source>
        <translation>无法通过 HTTP 调用</translation>
    </message>
    <message>
        <source>Not valid JSON: %1</source>
        <translation>不是有效的 JSON：%1</translation>
    </message>
    <message>
        <source>Reads %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>Cancelled by you.</source>
        <translation>已被您取消。</translation>
    </message>
    <message>
        <source>Connection lost during the call.</source>
        <translation>调用期间连接丢失。</translation>
    </message>
    <message>
        <source>Interrupted: the server was restarted.</source>
        <translation>已中断：服务器已重启。</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1：%2 %3</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallQuestion</name>
    <message>
        <source>It is annotated as destructive (destructiveHint).</source>
        <translation>它被注解为破坏性（destructiveHint）。</translation>
    </message>
    <message>
        <source>It is no longer annotated as read-only, so it may be destructive.</source>
        <translation>它不再被注解为只读，因此可能具有破坏性。</translation>
    </message>
    <message>
        <source>It has no annotations, so it may be destructive.</source>
        <translation>它没有注解，因此可能具有破坏性。</translation>
    </message>
    <message>
        <source>It is annotated as writing, but not as destructive.</source>
        <translation>它被注解为会写入，但不具破坏性。</translation>
    </message>
    <message>
        <source>It is annotated as read-only.</source>
        <translation>它被注解为只读。</translation>
    </message>
    <message>
        <source>Show what changed</source>
        <translation>显示变化内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Call anyway</source>
        <translation>仍然调用</translation>
    </message>
    <message>
        <source>Mark as seen</source>
        <translation>标记为已查看</translation>
    </message>
    <message>
        <source>What changed about the tool</source>
        <translation>此工具的变化内容</translation>
    </message>
    <message>
        <source>Call %1?</source>
        <translation>调用 %1？</translation>
    </message>
    <message>
        <source>It has changed since you last saw it.</source>
        <translation>自您上次查看以来，它已更改。</translation>
    </message>
    <message>
        <source>This tool has changed since you last saw it</source>
        <translation>自您上次查看以来，此工具已更改</translation>
    </message>
    <message>
        <source>What changed about %1</source>
        <translation>%1 的变化内容</translation>
    </message>
    <message>
        <source>Do not ask again for this tool</source>
        <translation>不再询问此工具</translation>
    </message>
    <message>
        <source>Sonde asks again when its definition changes.</source>
        <translation>定义更改后，Sonde 会再次询问。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallStep</name>
    <message>
        <source>passed</source>
        <translation>已通过</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>As expected: %1, after %2.</source>
        <translation>符合期望：%1，用时 %2。</translation>
    </message>
    <message>
        <source>Not run: the suite was stopped.</source>
        <translation>未运行：套件已停止。</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>期望</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>收到</translation>
    </message>
    <message>
        <source>No call selected</source>
        <translation>未选择调用</translation>
    </message>
    <message>
        <source>Select a call on the left to see its result.</source>
        <translation>选择左侧的调用以查看其结果。</translation>
    </message>
    <message>
        <source>%1: expected and received</source>
        <translation>%1：期望与收到</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallSubject</name>
    <message>
        <source>The page of an app that a chat client would run. Sonde shows its source and does not run it.</source>
        <translation>聊天客户端会运行的应用页面。Sonde 显示其源代码，但不运行它。</translation>
    </message>
    <message>
        <source>Instructions that a chat client would give to its model.</source>
        <translation>聊天客户端会交给其模型的说明。</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Its results have a view of their own, %1. Sonde shows the source of such an app and does not run it.</source>
        <translation>其结果有自己的视图：%1。Sonde 显示此类应用的源代码，但不运行它。</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>There is nothing to call here.</source>
        <translation>此处没有可调用的内容。</translation>
    </message>
    <message>
        <source>This page shows definition %1 of %2. A call contains only the name: the server decides which of them it reaches.</source>
        <translation>此页面显示第 %1 个定义（共 %2 个）。调用只包含名称：由服务器决定到达其中哪一个。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallTools</name>
    <message>
        <source>Call statistics</source>
        <translation>调用统计</translation>
    </message>
    <message>
        <source>Call statistics: number, outcome and duration of the calls of each tool (%1)</source>
        <translation>调用统计：每个工具的调用次数、结果状态和持续时间 (%1)</translation>
    </message>
    <message>
        <source>Show only this call</source>
        <translation>仅显示此调用</translation>
    </message>
    <message>
        <source>Show all calls</source>
        <translation>显示所有调用</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Expand all calls</source>
        <translation>展开所有调用</translation>
    </message>
    <message>
        <source>Collapse all calls</source>
        <translation>折叠所有调用</translation>
    </message>
    <message>
        <source>Call statistics…</source>
        <translation>调用统计…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Calls</name>
    <message>
        <source>response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>server request</source>
        <translation>服务器请求</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>需要输入</translation>
    </message>
    <message>
        <source>retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>task poll</source>
        <translation>任务轮询</translation>
    </message>
    <message>
        <source>task status</source>
        <translation>任务状态</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>transport</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>open</source>
        <translation>待响应</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>于 %1</translation>
    </message>
    <message>
        <source>Started at %1</source>
        <translation>开始于 %1</translation>
    </message>
    <message>
        <source>First byte after %1</source>
        <translation>%1 后收到首字节</translation>
    </message>
    <message>
        <source>No response yet</source>
        <translation>尚无响应</translation>
    </message>
    <message>
        <source>Running for %1</source>
        <translation>已运行 %1</translation>
    </message>
    <message>
        <source>Took %1</source>
        <translation>用时 %1</translation>
    </message>
    <message>
        <source>Waiting for user: %1</source>
        <translation>等待用户：%1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallsModel</name>
    <message>
        <source>≈ inferred</source>
        <translation>≈ 推断</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ChoiceEditor</name>
    <message>
        <source>%1 (not in the list)</source>
        <translation>%1（不在列表中）</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CollapsibleText</name>
    <message>
        <source>Show less</source>
        <translation>显示更少</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>显示更多</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareDetails</name>
    <message>
        <source>What changed</source>
        <translation>变化内容</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareDialog</name>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Open sessions</source>
        <translation>打开的会话</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>录制的会话</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>%1, filter</source>
        <translation>%1，筛选器</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Session file…</source>
        <translation>会话文件…</translation>
    </message>
    <message>
        <source>%1, choose a session file</source>
        <translation>%1，选择会话文件</translation>
    </message>
    <message>
        <source>Compare with a session</source>
        <translation>与会话比较</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>会话 (*.mcpsession);;所有文件 (*)</translation>
    </message>
    <message>
        <source>No servers or sessions yet. Connect to a server first.</source>
        <translation>还没有服务器或会话。请先连接到服务器。</translation>
    </message>
    <message>
        <source>Choose two different servers or sessions.</source>
        <translation>请选择两个不同的服务器或会话。</translation>
    </message>
    <message>
        <source>Choose a server or session on each side.</source>
        <translation>请在每一侧选择一个服务器或会话。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareEntry</name>
    <message>
        <source>Handshake</source>
        <translation>握手</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>◆ unknown</source>
        <translation>◆ 未知</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareList</name>
    <message>
        <source>Filter the differences</source>
        <translation>筛选差异</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All differences</source>
        <translation>所有差异</translation>
    </message>
    <message>
        <source>Breaking</source>
        <translation>不兼容</translation>
    </message>
    <message>
        <source>Breaking differences only</source>
        <translation>仅不兼容的差异</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter 1 difference…</source>
        <translation>筛选 1 处差异…</translation>
    </message>
    <message>
        <source>Filter %1 differences…</source>
        <translation>筛选 %1 处差异…</translation>
    </message>
    <message>
        <source>No breaking differences.</source>
        <translation>没有不兼容的差异。</translation>
    </message>
    <message>
        <source>No differences match the filter.</source>
        <translation>没有与筛选器匹配的差异。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareModel</name>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 项</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>未比较</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 处差异</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 处差异</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ComparePanel</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 个工具</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 个资源</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 个资源</translation>
    </message>
    <message>
        <source>1 template</source>
        <translation>1 个模板</translation>
    </message>
    <message>
        <source>%1 templates</source>
        <translation>%1 个模板</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 个提示词</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 个提示词</translation>
    </message>
    <message>
        <source>the handshake</source>
        <translation>握手</translation>
    </message>
    <message>
        <source>the capabilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>the launch settings</source>
        <translation>启动设置</translation>
    </message>
    <message>
        <source>live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>version %1</source>
        <translation>版本 %1</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>重新比较</translation>
    </message>
    <message>
        <source>Loading both sides…</source>
        <translation>正在加载两侧…</translation>
    </message>
    <message>
        <source>Swap sides</source>
        <translation>交换两侧</translation>
    </message>
    <message>
        <source>Swap before and after</source>
        <translation>交换“之前”和“之后”</translation>
    </message>
    <message>
        <source>Live servers are compared again automatically when their offering changes</source>
        <translation>实时服务器的提供项发生变化时会自动重新比较</translation>
    </message>
    <message>
        <source>%1 ⇄ %2</source>
        <translation>%1 ⇄ %2</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Both sides are being loaded and compared in the background.</source>
        <translation>正在后台加载并比较两侧。</translation>
    </message>
    <message>
        <source>≠ %1 changed</source>
        <translation>≠ %1 项已更改</translation>
    </message>
    <message>
        <source>+ %1 added</source>
        <translation>+ %1 项已添加</translation>
    </message>
    <message>
        <source>− %1 removed</source>
        <translation>− %1 项已移除</translation>
    </message>
    <message>
        <source>Before: %1 cannot be compared</source>
        <translation>之前：%1无法比较</translation>
    </message>
    <message>
        <source>After: %1 cannot be compared</source>
        <translation>之后：%1无法比较</translation>
    </message>
    <message>
        <source>✓ No differences</source>
        <translation>✓ 没有差异</translation>
    </message>
    <message>
        <source>Identical on both sides: %1.</source>
        <translation>两侧完全相同：%1。</translation>
    </message>
    <message>
        <source>✓ No differences in what could be compared.</source>
        <translation>✓ 可比较的内容没有差异。</translation>
    </message>
    <message>
        <source>Identical launch settings.</source>
        <translation>启动设置相同。</translation>
    </message>
    <message>
        <source>Launch settings differ in 1 place.</source>
        <translation>启动设置有 1 处不同。</translation>
    </message>
    <message>
        <source>Launch settings differ in %1 places.</source>
        <translation>启动设置有 %1 处不同。</translation>
    </message>
    <message>
        <source>✓ Same offering: %1.</source>
        <translation>✓ 提供项相同：%1。</translation>
    </message>
    <message>
        <source>✕ 1 difference can break clients of %1.</source>
        <translation>✕ 1 处差异可能使 %1 的客户端出错。</translation>
    </message>
    <message>
        <source>✕ %1 differences can break clients of %2.</source>
        <translation>✕ %1 处差异可能使 %2 的客户端出错。</translation>
    </message>
    <message>
        <source>? No certain breaking changes; 1 difference needs review.</source>
        <translation>? 没有确定的不兼容更改；1 处差异需要检查。</translation>
    </message>
    <message>
        <source>? No certain breaking changes; %1 differences need review.</source>
        <translation>? 没有确定的不兼容更改；%1 处差异需要检查。</translation>
    </message>
    <message>
        <source>✓ No breaking changes for clients of %1.</source>
        <translation>✓ 对 %1 的客户端没有不兼容更改。</translation>
    </message>
    <message>
        <source>? Unknown whether this can break clients of %1: not all lists could be compared.</source>
        <translation>? 不确定是否会使 %1 的客户端出错：并非所有列表都能比较。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ComparisonWindow</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>Compared part</source>
        <translation>比较的部分</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Not compared: both sides must be JSON.</source>
        <translation>未比较：两侧都必须是 JSON。</translation>
    </message>
    <message>
        <source>Identical bytes</source>
        <translation>字节完全相同</translation>
    </message>
    <message>
        <source>Identical except for whitespace or key order</source>
        <translation>除空白或键的顺序外完全相同</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ConstantEditor</name>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>已设置</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>已省略</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ContentBlock</name>
    <message>
        <source>unknown content type</source>
        <translation>未知的内容类型</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>面向 %1</translation>
    </message>
    <message>
        <source>priority %1</source>
        <translation>优先级 %1</translation>
    </message>
    <message>
        <source>modified %1</source>
        <translation>修改于 %1</translation>
    </message>
    <message>
        <source>Read resource</source>
        <translation>读取资源</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>打开链接…</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Open in player</source>
        <translation>在播放器中打开</translation>
    </message>
    <message>
        <source>Copy image</source>
        <translation>复制图像</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Copy URI</source>
        <translation>复制 URI</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Copy content block as JSON</source>
        <translation>将内容块复制为 JSON</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Read the linked resource</source>
        <translation>读取链接的资源</translation>
    </message>
    <message>
        <source>Decoding %1…</source>
        <translation>正在解码 %1…</translation>
    </message>
    <message>
        <source>image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Image, %1 by %2</source>
        <translation>图像，%1 × %2</translation>
    </message>
    <message>
        <source>Not copied: %1</source>
        <translation>未复制：%1</translation>
    </message>
    <message>
        <source>Save as a file</source>
        <translation>保存为文件</translation>
    </message>
    <message>
        <source>The text is the same as structuredContent.</source>
        <translation>该文本与 structuredContent 相同。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the text that is the same as structuredContent</source>
        <translation>显示与 structuredContent 相同的文本</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CopyActions</name>
    <message>
        <source>Copy value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Copy JSON pointer</source>
        <translation>复制 JSON 指针</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DescriptionLabel</name>
    <message>
        <source>Show more</source>
        <translation>显示更多</translation>
    </message>
    <message>
        <source>Show the full description</source>
        <translation>显示完整描述</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>显示更少</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DifferenceModel</name>
    <message>
        <source>(whole value)</source>
        <translation>（整个值）</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DifferenceTable</name>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copy value before</source>
        <translation>复制之前的值</translation>
    </message>
    <message>
        <source>Copy value after</source>
        <translation>复制之后的值</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DragHandle</name>
    <message>
        <source>Drag to move (%1, %2)</source>
        <translation>拖动以移动（%1，%2）</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Editor</name>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>默认值 %1</translation>
    </message>
    <message>
        <source>not sent while empty</source>
        <translation>为空时不发送</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Export</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>文件夹 %1 不存在。</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ExportDialog</name>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>导出 %1</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>JSON Lines: one message per line</source>
        <translation>JSON Lines：每行一条消息</translation>
    </message>
    <message>
        <source>HAR: HTTP exchanges for other tools</source>
        <translation>HAR：供其他工具使用的 HTTP 交换</translation>
    </message>
    <message>
        <source>Markdown: readable report</source>
        <translation>Markdown：可读的报告</translation>
    </message>
    <message>
        <source>HTML: single page for a bug report</source>
        <translation>HTML：用于错误报告的单个页面</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>All records</source>
        <translation>所有记录</translation>
    </message>
    <message>
        <source>All %1 records</source>
        <translation>所有 %1 条记录</translation>
    </message>
    <message>
        <source>Records shown in the timeline</source>
        <translation>时间线中显示的记录</translation>
    </message>
    <message>
        <source>Selected record</source>
        <translation>选中的记录</translation>
    </message>
    <message>
        <source>%1 selected records</source>
        <translation>%1 条选中的记录</translation>
    </message>
    <message>
        <source>Additional words to redact</source>
        <translation>要额外遮盖的词语</translation>
    </message>
    <message>
        <source>Names, keys, addresses; separated by commas</source>
        <translation>姓名、密钥、地址；以逗号分隔</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Also redact</source>
        <translation>同时遮盖</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Redacted values</source>
        <translation>已遮盖的值</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Occurrences</source>
        <translation>出现次数</translation>
    </message>
    <message>
        <source>Replacement</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Contains HTTP exchanges only; nothing from stdio servers.</source>
        <translation>只包含 HTTP 交换；不含 stdio 服务器的任何内容。</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>导出到</translation>
    </message>
    <message>
        <source>Words shorter than four characters are not redacted.</source>
        <translation>少于四个字符的词语不会被遮盖。</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>未导出</translation>
    </message>
    <message>
        <source>%1 is a folder. Enter a file name.</source>
        <translation>%1 是文件夹。请输入文件名。</translation>
    </message>
    <message>
        <source>This file already exists</source>
        <translation>此文件已存在</translation>
    </message>
    <message>
        <source>Scanning for secrets…</source>
        <translation>正在扫描机密…</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>The session cannot be read</source>
        <translation>无法读取会话</translation>
    </message>
    <message>
        <source>No HTTP exchanges among these records</source>
        <translation>这些记录中没有 HTTP 交换</translation>
    </message>
    <message>
        <source>The HAR file would be empty. Choose another format.</source>
        <translation>HAR 文件将为空。请选择其他格式。</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>已导出</translation>
    </message>
    <message>
        <source>%1, first in #%2</source>
        <translation>%1，首次出现于 #%2</translation>
    </message>
    <message>
        <source>No secrets detected. Review the file before you share it.</source>
        <translation>未检测到机密。共享文件前请检查其内容。</translation>
    </message>
    <message>
        <source>%1 redacted, in %2</source>
        <translation>已遮盖 %1，共 %2</translation>
    </message>
    <message>
        <source>1 secret is</source>
        <translation>1 个机密</translation>
    </message>
    <message>
        <source>%1 secrets are</source>
        <translation>%1 个机密</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 处</translation>
    </message>
    <message>
        <source>%1 places</source>
        <translation>%1 处</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Field</name>
    <message>
        <source>secret (detected)</source>
        <translation>机密（检测到）</translation>
    </message>
    <message>
        <source>read-only, not sent</source>
        <translation>只读，不发送</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>已省略</translation>
    </message>
    <message>
        <source>Null</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>已设置</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Set, omit or null this argument</source>
        <translation>设置、省略此参数或设为 null</translation>
    </message>
    <message>
        <source>Collapse %1</source>
        <translation>折叠 %1</translation>
    </message>
    <message>
        <source>Expand %1</source>
        <translation>展开 %1</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认值：%1</translation>
    </message>
    <message>
        <source>Example: %1</source>
        <translation>示例：%1</translation>
    </message>
    <message>
        <source>Edit as JSON</source>
        <translation>以 JSON 编辑</translation>
    </message>
    <message>
        <source>Server: %1</source>
        <translation>服务器：%1</translation>
    </message>
    <message>
        <source>arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>只读</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldColumn</name>
    <message>
        <source>Show %1 more (%2 hidden)</source>
        <translation>再显示 %1 个（%2 个已隐藏）</translation>
    </message>
    <message>
        <source>Show %1 more</source>
        <translation>再显示 %1 个</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldFind</name>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>No field of %1</source>
        <translation>%1 个字段中无匹配</translation>
    </message>
    <message>
        <source>%1 of %2 · %3 fields</source>
        <translation>%1 / %2 · %3 个字段</translation>
    </message>
    <message>
        <source>%1 of %2 fields</source>
        <translation>%1 / %2 个字段</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldFindBar</name>
    <message>
        <source>Required</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>Only required fields</source>
        <translation>仅必填字段</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>已设置</translation>
    </message>
    <message>
        <source>Only fields that are set</source>
        <translation>仅已设置的字段</translation>
    </message>
    <message>
        <source>Find field</source>
        <translation>查找字段</translation>
    </message>
    <message>
        <source>Name, title or description of a field</source>
        <translation>字段的名称、标题或描述</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldPlace</name>
    <message>
        <source>new item</source>
        <translation>新项</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FileContent</name>
    <message>
        <source>%1 has %2. A message can carry a file of at most %3.</source>
        <translation>%1 有 %2。一条消息最多可携带 %3 的文件。</translation>
    </message>
    <message>
        <source>Load file…</source>
        <translation>加载文件…</translation>
    </message>
    <message>
        <source>Replace the value with the content of a file, encoded. You can also drop a file here.</source>
        <translation>将值替换为文件的内容（经过编码）。也可以将文件拖放到此处。</translation>
    </message>
    <message>
        <source>Drop one file of this computer.</source>
        <translation>请拖放此计算机上的一个文件。</translation>
    </message>
    <message>
        <source>Load file</source>
        <translation>加载文件</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>There is not enough memory for %1.</source>
        <translation>内存不足，无法处理 %1。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FilterLine</name>
    <message>
        <source>Not applied; all rows shown.</source>
        <translation>未应用；显示所有行。</translation>
    </message>
    <message>
        <source>Not applied; still filtering by %1</source>
        <translation>未应用；仍按 %1 筛选</translation>
    </message>
    <message>
        <source>At character %1: %2 %3</source>
        <translation>第 %1 个字符处：%2 %3</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FilterMenu</name>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>橙色</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红色</translation>
    </message>
    <message>
        <source>Turquoise</source>
        <translation>青绿色</translation>
    </message>
    <message>
        <source>Saved filters and highlights</source>
        <translation>已保存的筛选器和突出显示</translation>
    </message>
    <message>
        <source>No saved filters</source>
        <translation>没有已保存的筛选器</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>保存筛选器</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Highlight matching rows</source>
        <translation>突出显示匹配的行</translation>
    </message>
    <message>
        <source>Remove highlight</source>
        <translation>移除突出显示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FindBar</name>
    <message>
        <source>Previous match (%1)</source>
        <translation>上一个匹配项 (%1)</translation>
    </message>
    <message>
        <source>Next match (%1)</source>
        <translation>下一个匹配项 (%1)</translation>
    </message>
    <message>
        <source>Close (%1)</source>
        <translation>关闭 (%1)</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>在此页中查找</translation>
    </message>
    <message>
        <source>Text to find</source>
        <translation>要查找的文本</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FindingsList</name>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Show all findings</source>
        <translation>显示所有检查结果</translation>
    </message>
    <message>
        <source>Show %1 more</source>
        <translation>再显示 %1 个</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 项</translation>
    </message>
    <message>
        <source>Finding: %1</source>
        <translation>检查结果：%1</translation>
    </message>
    <message>
        <source>Copy finding</source>
        <translation>复制检查结果</translation>
    </message>
    <message>
        <source>Copy all findings</source>
        <translation>复制所有检查结果</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FittingSegments</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FoldedJson</name>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示 %1</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Form</name>
    <message>
        <source>1 item</source>
        <translation>1 项</translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation>%1 项</translation>
    </message>
    <message>
        <source>Show secret</source>
        <translation>显示机密</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FormBody</name>
    <message>
        <source>%1 %2 looks like a secret. A server must not ask for secrets in a form.</source>
        <translation>%1 %2 看起来像机密。服务器不得在表单中请求机密。</translation>
    </message>
    <message>
        <source>This form has no fields.</source>
        <translation>此表单没有字段。</translation>
    </message>
    <message>
        <source>elicitation</source>
        <translation>elicitation</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FoundContext</name>
    <message>
        <source>In the abbreviated part: %1</source>
        <translation>在缩略部分中：%1</translation>
    </message>
    <message>
        <source>In the abbreviated part:</source>
        <translation>在缩略部分中：</translation>
    </message>
</context>
<context>
    <name>sonde::ui::GotoPalette</name>
    <message>
        <source>Go to</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server, session or command…</source>
        <translation>转到工具、资源、提示词、服务器、会话或命令…</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>匹配项</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>没有与“%1”匹配的内容</translation>
    </message>
    <message>
        <source>Search by any part of the name of a server, session, tool, resource, prompt or command.</source>
        <translation>按服务器、会话、工具、资源、提示词或命令名称的任意部分搜索。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::GuidedWalk</name>
    <message>
        <source>Enter two numbers in “add” and press Ctrl+Enter.</source>
        <translation>在“add”中输入两个数字，然后按 Ctrl+Enter。</translation>
    </message>
    <message>
        <source>Call “fail”: it runs, and reports an error that a model would see.</source>
        <translation>调用“fail”：它会运行，并报告一个模型会看到的错误。</translation>
    </message>
    <message>
        <source>Call “add” without b. Then click the error, enter a number and call again.</source>
        <translation>在不提供 b 的情况下调用“add”。然后单击错误，输入数字并再次调用。</translation>
    </message>
    <message>
        <source>Call “ask-form”: the server asks you for something in the middle of the call.</source>
        <translation>调用“ask-form”：服务器会在调用过程中向您询问一些内容。</translation>
    </message>
    <message>
        <source>Select a row of the timeline to see the message as it was sent.</source>
        <translation>选择时间线中的一行，查看消息发送时的原样。</translation>
    </message>
    <message>
        <source>Type “tool == fail” into the filter of the timeline.</source>
        <translation>在时间线的筛选器中输入“tool == fail”。</translation>
    </message>
    <message>
        <source>Open “greeting”: a resource is read when its tab opens.</source>
        <translation>打开“greeting”：资源在其标签页打开时读取。</translation>
    </message>
    <message>
        <source>Send the recorded calls again and compare the responses.</source>
        <translation>再次发送录制的调用并比较响应。</translation>
    </message>
    <message>
        <source>Call a tool</source>
        <translation>调用工具</translation>
    </message>
    <message>
        <source>See a tool error</source>
        <translation>查看工具错误</translation>
    </message>
    <message>
        <source>Fix an argument</source>
        <translation>修正参数</translation>
    </message>
    <message>
        <source>Respond to the server</source>
        <translation>响应服务器</translation>
    </message>
    <message>
        <source>Look at a message</source>
        <translation>查看消息</translation>
    </message>
    <message>
        <source>Filter the timeline</source>
        <translation>筛选时间线</translation>
    </message>
    <message>
        <source>Read a resource</source>
        <translation>读取资源</translation>
    </message>
    <message>
        <source>Replay the session</source>
        <translation>回放会话</translation>
    </message>
</context>
<context>
    <name>sonde::ui::HeaderEditor</name>
    <message>
        <source>default value</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>redacted in the session; not sent</source>
        <translation>已在会话中遮盖；不发送</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>HTTP &amp;headers</source>
        <translation>HTTP 标头(&amp;H)</translation>
    </message>
    <message>
        <source>For this message only; removed headers are not sent</source>
        <translation>仅用于此消息；移除的标头不会发送</translation>
    </message>
    <message>
        <source>For this message only; its original headers were not found</source>
        <translation>仅用于此消息；未找到其原始标头</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the selected header</source>
        <translation>移除选中的标头</translation>
    </message>
    <message>
        <source>Do not send the selected header</source>
        <translation>不发送选中的标头</translation>
    </message>
    <message>
        <source>HTTP headers of this message</source>
        <translation>此消息的 HTTP 标头</translation>
    </message>
</context>
<context>
    <name>sonde::ui::IgnoreRulesDialog</name>
    <message>
        <source>No rules</source>
        <translation>没有规则</translation>
    </message>
    <message>
        <source>Click “Ignore” next to a difference, or add a rule here. Matching differences are ignored.</source>
        <translation>单击差异旁的“忽略”，或在此处添加规则。匹配的差异会被忽略。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Ignore rules</source>
        <translation>忽略规则</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Ignored content</source>
        <translation>忽略的内容</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Tool, prompt or URI</source>
        <translation>工具、提示词或 URI</translation>
    </message>
    <message>
        <source>Path: /content/*/text#/time, where * is one step, ** any number of steps and # enters JSON inside a string. An empty field matches anything.</source>
        <translation>路径：/content/*/text#/time，其中 * 表示一级，** 表示任意多级，# 表示进入字符串中的 JSON。空字段匹配任何内容。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>任何内容</translation>
    </message>
    <message>
        <source>timestamps</source>
        <translation>时间戳</translation>
    </message>
    <message>
        <source>UUIDs</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>text matching</source>
        <translation>匹配以下模式的文本</translation>
    </message>
    <message>
        <source>Line %1: %2. The previous rules apply until this is fixed.</source>
        <translation>第 %1 行：%2。在修正之前，先前的规则仍然适用。</translation>
    </message>
    <message>
        <source>Line %1 is not a valid rule: %2. It will be discarded on close.</source>
        <translation>第 %1 行不是有效的规则：%2。关闭时会将其丢弃。</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>继续编辑</translation>
    </message>
    <message>
        <source>Saved in %1</source>
        <translation>保存在 %1 中</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImageArea</name>
    <message>
        <source>Fit width</source>
        <translation>适合宽度</translation>
    </message>
    <message>
        <source>%1%</source>
        <translation>%1%</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImageDecoder</name>
    <message>
        <source>not enough memory</source>
        <translation>内存不足</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImportCallsDialog</name>
    <message>
        <source>Import calls from other programs</source>
        <translation>导入其他程序的调用</translation>
    </message>
    <message>
        <source>Open, drop or paste a Postman, Insomnia or Hoppscotch collection, or an MCP Inspector export.</source>
        <translation>打开、拖放或粘贴 Postman、Insomnia 或 Hoppscotch 的集合，或 MCP Inspector 导出的内容。</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Import calls</source>
        <translation>导入调用</translation>
    </message>
    <message>
        <source>Open files…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Paste from clipboard</source>
        <translation>从剪贴板粘贴</translation>
    </message>
    <message>
        <source>Calls found</source>
        <translation>找到的调用</translation>
    </message>
    <message>
        <source>Saved call</source>
        <translation>已保存的调用</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>File of the selected call</source>
        <translation>选中调用的文件</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>%1 is too large for the memory.</source>
        <translation>%1 太大，内存不足。</translation>
    </message>
    <message>
        <source>The clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>The clipboard has no text.</source>
        <translation>剪贴板中没有文本。</translation>
    </message>
    <message>
        <source>The text is too long.</source>
        <translation>文本过长。</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 条备注</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 条备注</translation>
    </message>
    <message>
        <source>Import calls from files</source>
        <translation>从文件导入调用</translation>
    </message>
    <message>
        <source>Exports (*.json *.yaml *.yml);;All files (*)</source>
        <translation>导出文件 (*.json *.yaml *.yml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import 1 call</source>
        <translation>导入 1 个调用</translation>
    </message>
    <message>
        <source>Import %1 calls</source>
        <translation>导入 %1 个调用</translation>
    </message>
    <message>
        <source>Nothing is sent, and no file is replaced.</source>
        <translation>不会发送任何内容，也不会替换任何文件。</translation>
    </message>
    <message>
        <source>%1 has no tool calls</source>
        <translation>%1 没有工具调用</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImportDialog</name>
    <message>
        <source>No servers from other MCP clients found</source>
        <translation>未找到其他 MCP 客户端的服务器</translation>
    </message>
    <message>
        <source>Open or drop a file, or paste its text or a command such as “claude mcp add …”.</source>
        <translation>请打开或拖放文件，或粘贴其文本或“claude mcp add …”之类的命令。</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Import servers</source>
        <translation>导入服务器</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>在此计算机上找到</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Paste from clipboard</source>
        <translation>从剪贴板粘贴</translation>
    </message>
    <message>
        <source>A configuration, an entry, or a command such as “claude mcp add …”</source>
        <translation>配置、条目或“claude mcp add …”之类的命令</translation>
    </message>
    <message>
        <source>Servers found</source>
        <translation>找到的服务器</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Starts or connects to</source>
        <translation>启动或连接到</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Details of the selected server</source>
        <translation>选中服务器的详细信息</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 个服务器</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 个服务器</translation>
    </message>
    <message>
        <source>The text is too long to be a list of servers.</source>
        <translation>文本过长，不可能是服务器列表。</translation>
    </message>
    <message>
        <source>Import servers from a file</source>
        <translation>从文件导入服务器</translation>
    </message>
    <message>
        <source>Configurations (*.json *.jsonc *.toml);;All files (*)</source>
        <translation>配置 (*.json *.jsonc *.toml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>cannot be started</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>already in the list; adds missing secrets</source>
        <translation>已在列表中；将添加缺少的机密</translation>
    </message>
    <message>
        <source>already in the list</source>
        <translation>已在列表中</translation>
    </message>
    <message>
        <source>renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>已禁用</translation>
    </message>
    <message>
        <source>1 secret</source>
        <translation>1 个机密</translation>
    </message>
    <message>
        <source>%1 secrets</source>
        <translation>%1 个机密</translation>
    </message>
    <message>
        <source>Other users can read these secrets</source>
        <translation>其他用户可以读取这些机密</translation>
    </message>
    <message>
        <source>This file describes no servers</source>
        <translation>此文件没有描述任何服务器</translation>
    </message>
    <message>
        <source>Double-click or press F2 to rename</source>
        <translation>双击或按 F2 重命名</translation>
    </message>
    <message>
        <source>•••••••• (secret, goes to the keychain)</source>
        <translation>••••••••（机密，存入密钥链）</translation>
    </message>
    <message>
        <source>Enter a name for each server.</source>
        <translation>请为每个服务器输入名称。</translation>
    </message>
    <message>
        <source>A server named “%1” already exists. Double-click the name to change it.</source>
        <translation>名为“%1”的服务器已存在。双击名称可更改。</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>导入 %1</translation>
    </message>
    <message>
        <source>Importing starts nothing. Check what each server would run.</source>
        <translation>导入不会启动任何内容。请检查每个服务器将运行什么。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonCompletion</name>
    <message>
        <source>Names and values from the schema</source>
        <translation>来自 Schema 的名称和值</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>example</source>
        <translation>示例</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonEditor</name>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Show secrets</source>
        <translation>显示机密</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>line %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonFolding</name>
    <message>
        <source>…} 1 property</source>
        <translation>…} 1 个属性</translation>
    </message>
    <message>
        <source>…} %1 properties</source>
        <translation>…} %1 个属性</translation>
    </message>
    <message>
        <source>…] 1 item</source>
        <translation>…] 1 项</translation>
    </message>
    <message>
        <source>…] %1 items</source>
        <translation>…] %1 项</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonTable</name>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>复制为</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>1 column</source>
        <translation>1 列</translation>
    </message>
    <message>
        <source>%1 columns</source>
        <translation>%1 列</translation>
    </message>
    <message>
        <source>1 hidden</source>
        <translation>1 个已隐藏</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>%1 个已隐藏</translation>
    </message>
    <message>
        <source>1 more key not shown</source>
        <translation>还有 1 个键未显示</translation>
    </message>
    <message>
        <source>%1 more keys not shown</source>
        <translation>还有 %1 个键未显示</translation>
    </message>
    <message>
        <source>Sort ascending</source>
        <translation>升序排序</translation>
    </message>
    <message>
        <source>Sort descending</source>
        <translation>降序排序</translation>
    </message>
    <message>
        <source>Order as received</source>
        <translation>接收时的顺序</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Hide “%1”</source>
        <translation>隐藏“%1”</translation>
    </message>
    <message>
        <source>Show all columns</source>
        <translation>显示所有列</translation>
    </message>
    <message>
        <source>Copy table as CSV</source>
        <translation>将表格复制为 CSV</translation>
    </message>
    <message>
        <source>Copy table as Markdown</source>
        <translation>将表格复制为 Markdown</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonTableModel</name>
    <message>
        <source>(no object)</source>
        <translation>（无对象）</translation>
    </message>
    <message>
        <source>(empty name)</source>
        <translation>（空名称）</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LaunchLines</name>
    <message>
        <source>%1 characters</source>
        <translation>%1 个字符</translation>
    </message>
    <message>
        <source>What would be started</source>
        <translation>将启动的内容</translation>
    </message>
    <message>
        <source>%1, %2. Scroll to see all of it.</source>
        <translation>%1，%2。滚动可查看全部内容。</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 个字符</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LineDifference</name>
    <message>
        <source>… 1 equal line</source>
        <translation>… 1 行相同</translation>
    </message>
    <message>
        <source>… %1 equal lines</source>
        <translation>… %1 行相同</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LineInput</name>
    <message>
        <source>Not inserted: max %1 characters per line.</source>
        <translation>未插入：每行最多 %1 个字符。</translation>
    </message>
    <message>
        <source>%1 characters: too long to edit on one line</source>
        <translation>%1 个字符：过长，无法在一行中编辑</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ListEditor</name>
    <message>
        <source>item</source>
        <translation>列表项</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Move %1 up</source>
        <translation>上移 %1</translation>
    </message>
    <message>
        <source>Move %1 down</source>
        <translation>下移 %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LogLevelRow</name>
    <message>
        <source>Log level</source>
        <translation>日志级别</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Server default</source>
        <translation>服务器默认值</translation>
    </message>
    <message>
        <source>Not accepted: %1</source>
        <translation>未接受：%1</translation>
    </message>
    <message>
        <source>Requests do not ask for log messages.</source>
        <translation>请求不会要求日志消息。</translation>
    </message>
    <message>
        <source>Sent with each request.</source>
        <translation>随每个请求发送。</translation>
    </message>
    <message>
        <source>The server keeps &apos;%1&apos; until it is restarted.</source>
        <translation>服务器会保持 &apos;%1&apos;，直到重启。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ManualBrowser</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ManualWindow</name>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Sonde manual</source>
        <translation>Sonde 手册</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>搜索所有页面</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Places with these words</source>
        <translation>包含这些词语的位置</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>No page has these words.</source>
        <translation>没有页面包含这些词语。</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 处</translation>
    </message>
    <message>
        <source>%1 places</source>
        <translation>%1 处</translation>
    </message>
    <message>
        <source>%1 › %2</source>
        <translation>%1 › %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Not in this manual: %1</source>
        <translation>此手册中没有：%1</translation>
    </message>
    <message>
        <source>%1 matches, of which the first %2 are listed</source>
        <translation>%1 处，列出前 %2 处</translation>
    </message>
</context>
<context>
    <name>sonde::ui::MarkdownView</name>
    <message>
        <source>[Image: %1]</source>
        <translation>[图像：%1]</translation>
    </message>
    <message>
        <source>Rendered Markdown</source>
        <translation>渲染的 Markdown</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>打开链接…</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>复制链接地址</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>sonde::ui::MemberRow</name>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of property %1</source>
        <translation>属性 %1 的名称</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>sonde::ui::NetworkDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>使用这些设置</translation>
    </message>
    <message>
        <source>Network settings</source>
        <translation>网络设置</translation>
    </message>
    <message>
        <source>Network settings of %1</source>
        <translation>%1 的网络设置</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Proxy URL</source>
        <translation>代理 URL</translation>
    </message>
    <message>
        <source>http://HOST:PORT or socks5://HOST:PORT</source>
        <translation>http://HOST:PORT 或 socks5://HOST:PORT</translation>
    </message>
    <message>
        <source>With a user name and password: http://USER:PASSWORD@HOST:PORT</source>
        <translation>带用户名和密码：http://USER:PASSWORD@HOST:PORT</translation>
    </message>
    <message>
        <source>&amp;Proxy</source>
        <translation>代理(&amp;P)</translation>
    </message>
    <message>
        <source>CA &amp;file</source>
        <translation>CA 文件(&amp;F)</translation>
    </message>
    <message>
        <source>PEM: certificate authorities to trust for this server, in addition to the system&apos;s</source>
        <translation>PEM：除系统的证书颁发机构外，还为此服务器信任的证书颁发机构</translation>
    </message>
    <message>
        <source>the system&apos;s certificate authorities only</source>
        <translation>仅系统的证书颁发机构</translation>
    </message>
    <message>
        <source>Client &amp;certificate</source>
        <translation>客户端证书(&amp;C)</translation>
    </message>
    <message>
        <source>PEM: the client certificate for this server and its chain</source>
        <translation>PEM：用于此服务器的客户端证书及其证书链</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Client &amp;key</source>
        <translation>客户端密钥(&amp;K)</translation>
    </message>
    <message>
        <source>PEM without a passphrase: the private key of the client certificate</source>
        <translation>不带密码短语的 PEM：客户端证书的私钥</translation>
    </message>
    <message>
        <source>in the certificate file</source>
        <translation>在证书文件中</translation>
    </message>
    <message>
        <source>&amp;Accepted certificate</source>
        <translation>接受的证书(&amp;A)</translation>
    </message>
    <message>
        <source>SHA-256 fingerprint</source>
        <translation>SHA-256 指纹</translation>
    </message>
    <message>
        <source>Exactly this certificate is accepted even if it is self-signed, expired or for another host. The error of a failed connection shows the fingerprint; check it with the server&apos;s owner.</source>
        <translation>即使是自签名、已过期或属于其他主机，也恰好接受这一证书。连接失败时的错误会显示指纹；请与服务器所有者核对。</translation>
    </message>
    <message>
        <source>Accept the certificate that the server showed</source>
        <translation>接受服务器出示的证书</translation>
    </message>
    <message>
        <source>A&amp;llowed hosts</source>
        <translation>允许的主机(&amp;L)</translation>
    </message>
    <message>
        <source>none; separate several with commas</source>
        <translation>无；多个以逗号分隔</translation>
    </message>
    <message>
        <source>Hosts on this computer or a private network that a public server may redirect to, for example to sign in</source>
        <translation>公共服务器可以重定向到的、位于此计算机或专用网络上的主机，例如用于登录</translation>
    </message>
    <message>
        <source>Its SHA-256 fingerprint is %1. Check it with the server&apos;s owner.</source>
        <translation>其 SHA-256 指纹为 %1。请与服务器所有者核对。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>选择 %1</translation>
    </message>
    <message>
        <source>PEM files (*.pem *.crt *.cer *.key);;All files (*)</source>
        <translation>PEM 文件 (*.pem *.crt *.cer *.key);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Enter the URL of the proxy.</source>
        <translation>请输入代理的 URL。</translation>
    </message>
    <message>
        <source>For this server only. Takes effect at the next start.</source>
        <translation>仅用于此服务器。下次启动时生效。</translation>
    </message>
    <message>
        <source>system proxy</source>
        <translation>系统代理</translation>
    </message>
    <message>
        <source>no proxy</source>
        <translation>无代理</translation>
    </message>
    <message>
        <source>proxy %1</source>
        <translation>代理 %1</translation>
    </message>
    <message>
        <source>CA file %1</source>
        <translation>CA 文件 %1</translation>
    </message>
    <message>
        <source>client certificate %1</source>
        <translation>客户端证书 %1</translation>
    </message>
    <message>
        <source>1 accepted certificate</source>
        <translation>1 个接受的证书</translation>
    </message>
    <message>
        <source>allowed: %1</source>
        <translation>允许：%1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::NumberEditor</name>
    <message>
        <source>Not a number; will be sent as a string</source>
        <translation>不是数字；将作为字符串发送</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ObjectEditor</name>
    <message>
        <source>Add entry</source>
        <translation>添加条目</translation>
    </message>
    <message>
        <source>Add property</source>
        <translation>添加属性</translation>
    </message>
    <message>
        <source>Additional properties</source>
        <translation>其他属性</translation>
    </message>
    <message>
        <source>Empty object</source>
        <translation>空对象</translation>
    </message>
    <message>
        <source>any of them</source>
        <translation>其中任意项</translation>
    </message>
    <message>
        <source>Give</source>
        <translation>提供</translation>
    </message>
    <message>
        <source>Which to give</source>
        <translation>要提供的内容</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OfferModel</name>
    <message>
        <source>Not callable over HTTP: %1</source>
        <translation>无法通过 HTTP 调用：%1</translation>
    </message>
    <message>
        <source>Calls %1</source>
        <translation>调用 %1</translation>
    </message>
    <message>
        <source>The server lists no tools</source>
        <translation>服务器没有列出工具</translation>
    </message>
    <message>
        <source>The server lists no resources</source>
        <translation>服务器没有列出资源</translation>
    </message>
    <message>
        <source>The server lists no templates</source>
        <translation>服务器没有列出模板</translation>
    </message>
    <message>
        <source>The server lists no prompts</source>
        <translation>服务器没有列出提示词</translation>
    </message>
    <message>
        <source>MCP App</source>
        <translation>MCP App</translation>
    </message>
    <message>
        <source>skill</source>
        <translation>技能</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>destructive</source>
        <translation>破坏性</translation>
    </message>
    <message>
        <source>task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>idempotent</source>
        <translation>幂等</translation>
    </message>
    <message>
        <source>open world</source>
        <translation>开放世界</translation>
    </message>
    <message>
        <source>may write</source>
        <translation>可能写入</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>已保存的调用</translation>
    </message>
    <message>
        <source>live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>not offered</source>
        <translation>未提供</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 loaded</source>
        <translation>已加载 %1</translation>
    </message>
    <message>
        <source>Load next page</source>
        <translation>加载下一页</translation>
    </message>
    <message>
        <source>more on server</source>
        <translation>服务器上还有更多</translation>
    </message>
    <message>
        <source>Load all</source>
        <translation>全部加载</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: %2, %3 loaded, more on the server</source>
        <translation>%1：%2，已加载 %3，服务器上还有更多</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（无名称）</translation>
    </message>
    <message>
        <source>%1, not callable</source>
        <translation>%1，不可调用</translation>
    </message>
    <message>
        <source>1 saved call</source>
        <translation>1 个已保存的调用</translation>
    </message>
    <message>
        <source>%1 saved calls</source>
        <translation>%1 个已保存的调用</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 个工具</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 个资源</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 个资源</translation>
    </message>
    <message>
        <source>1 template</source>
        <translation>1 个模板</translation>
    </message>
    <message>
        <source>%1 templates</source>
        <translation>%1 个模板</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 个提示词</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 个提示词</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>没有工具</translation>
    </message>
    <message>
        <source>No resources</source>
        <translation>没有资源</translation>
    </message>
    <message>
        <source>No templates</source>
        <translation>没有模板</translation>
    </message>
    <message>
        <source>No prompts</source>
        <translation>没有提示词</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OfferTree</name>
    <message>
        <source>Filter the server&apos;s offering</source>
        <translation>筛选服务器的提供项</translation>
    </message>
    <message>
        <source>Server offering</source>
        <translation>服务器提供项</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter %1…</source>
        <translation>筛选 %1…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>没有与“%1”匹配的内容</translation>
    </message>
    <message>
        <source>Esc clears the filter.</source>
        <translation>按 Esc 清除筛选器。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OnlyCallLine</name>
    <message>
        <source>Show all calls</source>
        <translation>显示所有调用</translation>
    </message>
    <message>
        <source>Show all calls again</source>
        <translation>重新显示所有调用</translation>
    </message>
    <message>
        <source>Only call %1</source>
        <translation>仅调用 %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OpenAddressDialog</name>
    <message>
        <source>Open in the browser?</source>
        <translation>在浏览器中打开？</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL and open it yourself.</source>
        <translation>无法启动浏览器。请复制 URL 并自行打开。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OutcomeText</name>
    <message>
        <source>HTTP %1</source>
        <translation>HTTP %1</translation>
    </message>
    <message>
        <source>Session lost</source>
        <translation>会话已丢失</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>已超时</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation>连接已丢失</translation>
    </message>
    <message>
        <source>Not authorized</source>
        <translation>未授权</translation>
    </message>
    <message>
        <source>Invalid response</source>
        <translation>无效的响应</translation>
    </message>
    <message>
        <source>No response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>Tool error</source>
        <translation>工具错误</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>需要输入</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… 正在运行</translation>
    </message>
    <message>
        <source>not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>open</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>The call succeeded.</source>
        <translation>调用成功。</translation>
    </message>
    <message>
        <source>The tool ran and reported a failure (isError: true).</source>
        <translation>工具已运行并报告了失败（isError: true）。</translation>
    </message>
    <message>
        <source>JSON-RPC error without a valid code.</source>
        <translation>JSON-RPC 错误，没有有效的代码。</translation>
    </message>
    <message>
        <source>JSON-RPC error %1.</source>
        <translation>JSON-RPC 错误 %1。</translation>
    </message>
    <message>
        <source>JSON-RPC error %1: %2.</source>
        <translation>JSON-RPC 错误 %1：%2。</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 instead of a JSON-RPC response.</source>
        <translation>服务器返回了 HTTP %1，而不是 JSON-RPC 响应。</translation>
    </message>
    <message>
        <source>The server no longer knows the session.</source>
        <translation>服务器已不认识该会话。</translation>
    </message>
    <message>
        <source>Timed out.</source>
        <translation>已超时。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>No response: the connection was lost.</source>
        <translation>无响应：连接已丢失。</translation>
    </message>
    <message>
        <source>No response: the server requires authorization.</source>
        <translation>无响应：服务器需要授权。</translation>
    </message>
    <message>
        <source>Not a valid response.</source>
        <translation>不是有效的响应。</translation>
    </message>
    <message>
        <source>No response.</source>
        <translation>无响应。</translation>
    </message>
    <message>
        <source>Not a protocol error. The model sees this text.</source>
        <translation>不是协议错误。模型会看到此文本。</translation>
    </message>
    <message>
        <source>The server returned a JSON-RPC error instead of a result.</source>
        <translation>服务器返回了 JSON-RPC 错误，而不是结果。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>fresh until %1 (public)</source>
        <translation>有效至 %1（公共）</translation>
    </message>
    <message>
        <source>fresh until %1 (private)</source>
        <translation>有效至 %1（私有）</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 kB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
</context>
<context>
    <name>sonde::ui::PageFind</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 个匹配项</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 个匹配项</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::PairTable</name>
    <message>
        <source>(in the keychain)</source>
        <translation>（在密钥链中）</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>密钥链</translation>
    </message>
    <message>
        <source>Checked values are kept in the keychain of this computer, not in the list of servers.</source>
        <translation>勾选的值保存在此计算机的密钥链中，而不在服务器列表中。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::PlaceEditor</name>
    <message>
        <source>The schema is too large for form fields. Edit this value as JSON.</source>
        <translation>Schema 过大，无法显示为表单字段。请以 JSON 编辑此值。</translation>
    </message>
    <message>
        <source>%1 of JSON, unchanged. Show and edit</source>
        <translation>%1 的 JSON，未更改。显示并编辑</translation>
    </message>
    <message>
        <source>Not JSON; will be sent as a string: %1</source>
        <translation>不是 JSON；将作为字符串发送：%1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Reset page</source>
        <translation>重置页面</translation>
    </message>
    <message>
        <source>Set everything on this page to its default</source>
        <translation>将此页的所有内容设为默认值</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>, or no limit</source>
        <translation>，或无限制</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>The window changes its language when this dialog is closed and no call is running. The command line and the manual are in English.</source>
        <translation>关闭此对话框且没有正在运行的调用时，窗口会更改语言。命令行和手册为英文。</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Show the menu bar</source>
        <translation>显示菜单栏</translation>
    </message>
    <message>
        <source>While it is hidden, Alt or F10 opens it.</source>
        <translation>菜单栏隐藏时，可按 Alt 或 F10 打开。</translation>
    </message>
    <message>
        <source>Only while another window is in front.</source>
        <translation>仅当其他窗口位于前台时。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>字体大小</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减弱动态效果</translation>
    </message>
    <message>
        <source>Busy indicators do not move, text cursors do not blink, and times count in whole seconds. Always on if the desktop asks for it.</source>
        <translation>未知时长的进度和文本光标静止不动，时间以整秒计。如果桌面要求，则始终启用。</translation>
    </message>
    <message>
        <source>Timeouts and limits</source>
        <translation>超时和限制</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Request timeout</source>
        <translation>请求超时</translation>
    </message>
    <message>
        <source>Total timeout</source>
        <translation>总超时</translation>
    </message>
    <message>
        <source>A request ends after this time even if it reports progress. Time waiting for you or for a sign-in does not count.</source>
        <translation>超过此时间后，即使请求仍在报告进度也会结束。等待您操作或登录的时间不计入。</translation>
    </message>
    <message>
        <source>Connection timeout</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>For opening the connection, and for each request of the handshake.</source>
        <translation>用于打开连接，以及握手的每个请求。</translation>
    </message>
    <message>
        <source>Request timeouts apply to the next request, the connection timeout to the next start of a server.</source>
        <translation>请求超时对下一个请求生效，连接超时在服务器下次启动时生效。</translation>
    </message>
    <message>
        <source>Recording and retention</source>
        <translation>录制与保留</translation>
    </message>
    <message>
        <source>Session size limit</source>
        <translation>会话大小限制</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>Beyond the limit, calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted, not stored. Sessions that are being recorded get the new limit at once.</source>
        <translation>超出限制后仍会录制调用。服务器的通知、标准错误及其他未经请求的输出只计数，不存储。正在录制的会话立即采用新的限制。</translation>
    </message>
    <message>
        <source>A session uses at most a tenth of the free disk space.</source>
        <translation>一个会话最多使用可用磁盘空间的十分之一。</translation>
    </message>
    <message>
        <source>A session uses at most a tenth of the free disk space, currently %1.</source>
        <translation>一个会话最多使用可用磁盘空间的十分之一，当前为 %1。</translation>
    </message>
    <message>
        <source>In memory only</source>
        <translation>仅在内存中</translation>
    </message>
    <message>
        <source>Folder of sessions</source>
        <translation>会话文件夹</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>已存储</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 个会话</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 个会话</translation>
    </message>
    <message>
        <source>Keep sessions for</source>
        <translation>会话保留时间</translation>
    </message>
    <message>
        <source> days</source>
        <translation> 天</translation>
    </message>
    <message>
        <source>Total size of sessions</source>
        <translation>会话总大小</translation>
    </message>
    <message>
        <source>Number of sessions</source>
        <translation>会话数量</translation>
    </message>
    <message>
        <source>Privacy and approval</source>
        <translation>隐私与批准</translation>
    </message>
    <message>
        <source>Ask before calling tools without annotations</source>
        <translation>调用没有注解的工具前询问</translation>
    </message>
    <message>
        <source>A tool without annotations may be destructive. Sonde always asks before calling a tool that is annotated as destructive.</source>
        <translation>没有注解的工具可能具有破坏性。对于注解为破坏性的工具，Sonde 在调用前始终询问。</translation>
    </message>
    <message>
        <source>Add opened sessions to the desktop&apos;s list of recent files</source>
        <translation>将打开的会话添加到桌面的最近文件列表</translation>
    </message>
    <message>
        <source>Forget all…</source>
        <translation>全部忘记…</translation>
    </message>
    <message>
        <source>Remembered arguments</source>
        <translation>记住的参数</translation>
    </message>
    <message>
        <source>The arguments of your last calls fill the forms at the next start. Detected secrets are not remembered.</source>
        <translation>下次启动时用上次调用的参数填充表单。检测到的机密不会被记住。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Of 1 tool</source>
        <translation>1 个工具的参数</translation>
    </message>
    <message>
        <source>Of %1 tools</source>
        <translation>%1 个工具的参数</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>密度</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>宽松</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>紧凑</translation>
    </message>
    <message>
        <source>Notify me when a server is waiting for me</source>
        <translation>服务器等待我响应时通知我</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Default: no limit · at most %1</source>
        <translation>默认：无限制 · 最大 %1</translation>
    </message>
    <message>
        <source>Default: %1 · from %2 to %3</source>
        <translation>默认：%1 · %2 到 %3</translation>
    </message>
    <message>
        <source>Reopen the tabs that were open</source>
        <translation>重新打开上次打开的标签页</translation>
    </message>
    <message>
        <source>Restores tabs with their unsent input, opened sessions and filters at the next start. Servers are not started, and detected secrets are not saved.</source>
        <translation>下次启动时恢复标签页及其中未发送的输入、打开的会话和筛选器。不会启动服务器，也不会保存检测到的机密。</translation>
    </message>
    <message>
        <source>A request without a response or progress for this long ends with “No response”, and the server is notified.</source>
        <translation>在此时间内既无响应也无进度时，请求以“无响应”结束，并通知服务器。</translation>
    </message>
    <message>
        <source>Sonde never deletes a session by itself. Sessions beyond these limits are proposed for deletion in the list of recorded sessions. Pinned and open sessions are kept.</source>
        <translation>Sonde 从不自行删除会话。超出这些限制的会话会在录制的会话列表中建议删除。已固定和已打开的会话会保留。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ProblemLine</name>
    <message>
        <source>1 problem</source>
        <translation>1 个问题</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source> · you can still send it</source>
        <translation> · 仍然可以发送</translation>
    </message>
    <message>
        <source>1 remark</source>
        <translation>1 条说明</translation>
    </message>
    <message>
        <source>%1 remarks</source>
        <translation>%1 条说明</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>没有问题</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RawPage</name>
    <message>
        <source>Message exactly as received</source>
        <translation>与接收时完全一致的消息</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save the message as a file</source>
        <translation>将消息保存为文件</translation>
    </message>
    <message>
        <source>%1, exactly as received</source>
        <translation>%1，与接收时完全一致</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RecordDetails</name>
    <message>
        <source>No findings</source>
        <translation>没有检查结果</translation>
    </message>
    <message>
        <source>No JSON, JSON-RPC or MCP violations found.</source>
        <translation>未发现违反 JSON、JSON-RPC 或 MCP 的情况。</translation>
    </message>
    <message>
        <source>Details of the selected record</source>
        <translation>选中记录的详细信息</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>Headers of the HTTP request and response</source>
        <translation>HTTP 请求和响应的标头</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Times, sizes and other information</source>
        <translation>时间、大小及其他信息</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>再次发送</translation>
    </message>
    <message>
        <source>Send again; a request gets a new ID</source>
        <translation>再次发送；请求会获得新 ID</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Edit and send…</source>
        <translation>编辑并发送…</translation>
    </message>
    <message>
        <source>Edit this message, then send it</source>
        <translation>编辑此消息，然后发送</translation>
    </message>
    <message>
        <source>Record as a tree</source>
        <translation>以树显示的记录</translation>
    </message>
    <message>
        <source>Exact bytes of the record</source>
        <translation>记录的确切字节</translation>
    </message>
    <message>
        <source>Open in a window</source>
        <translation>在窗口中打开</translation>
    </message>
    <message>
        <source>Open in a separate window (Enter on the row)</source>
        <translation>在单独的窗口中打开（在行上按 Enter）</translation>
    </message>
    <message>
        <source>Record info</source>
        <translation>记录信息</translation>
    </message>
    <message>
        <source>call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>link</source>
        <translation>关联</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Record view</source>
        <translation>记录视图</translation>
    </message>
    <message>
        <source>Close the details</source>
        <translation>关闭详情</translation>
    </message>
    <message>
        <source>Close the details (Esc on the row)</source>
        <translation>关闭详情（在行上按 Esc）</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RecordedCallPanel</name>
    <message>
        <source>Not called in this session</source>
        <translation>此会话中未调用</translation>
    </message>
    <message>
        <source>Its recorded calls would be listed here.</source>
        <translation>其录制的调用会列在此处。</translation>
    </message>
    <message>
        <source>A template is not read itself</source>
        <translation>模板本身不会被读取</translation>
    </message>
    <message>
        <source>Its resources are in the timeline.</source>
        <translation>其资源在时间线中。</translation>
    </message>
    <message>
        <source>Show in timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>Call again on…</source>
        <translation>再次调用，目标…</translation>
    </message>
    <message>
        <source>Recorded %1; arguments and results as they were then.</source>
        <translation>录制于 %1；参数和结果与当时相同。</translation>
    </message>
    <message>
        <source>Recorded calls</source>
        <translation>录制的调用</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果状态</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>持续时间</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Protocol error</source>
        <translation>协议错误</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>没有录制响应。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayBar</name>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Accept as baseline</source>
        <translation>接受为基线</translation>
    </message>
    <message>
        <source>Accept…</source>
        <translation>接受…</translation>
    </message>
    <message>
        <source>Show only these steps</source>
        <translation>仅显示这些步骤</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>导出结果</translation>
    </message>
    <message>
        <source>Export results for CI</source>
        <translation>导出结果供 CI 使用</translation>
    </message>
    <message>
        <source>JUnit (XML)…</source>
        <translation>JUnit（XML）…</translation>
    </message>
    <message>
        <source>JSON…</source>
        <translation>JSON…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Make no further calls (Esc)</source>
        <translation>不再进行后续调用 (Esc)</translation>
    </message>
    <message>
        <source>Ignore rules</source>
        <translation>忽略规则</translation>
    </message>
    <message>
        <source>Ignore rules %1</source>
        <translation>忽略规则 %1</translation>
    </message>
    <message>
        <source>The new responses replace the recorded ones; the old session is kept</source>
        <translation>新响应将替换录制的响应；旧会话会保留</translation>
    </message>
    <message>
        <source>What came back becomes what is expected, in the files of the calls that did not pass</source>
        <translation>在未通过的调用的文件中，返回的内容将成为期望的内容</translation>
    </message>
    <message>
        <source>JUnit report…</source>
        <translation>JUnit 报告…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayDialog</name>
    <message>
        <source>Starts a separate instance: %1. A running server is not affected.</source>
        <translation>启动单独的实例：%1。正在运行的服务器不受影响。</translation>
    </message>
    <message>
        <source>Opens a separate connection to %1; an open connection is not affected.</source>
        <translation>打开到 %1 的单独连接；已打开的连接不受影响。</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>&amp;All calls</source>
        <translation>所有调用(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Matching a filter</source>
        <translation>与筛选器匹配(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Session</source>
        <translation>会话(&amp;S)</translation>
    </message>
    <message>
        <source>Tar&amp;get server</source>
        <translation>目标服务器(&amp;G)</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Tools with side effects</source>
        <translation>有副作用的工具</translation>
    </message>
    <message>
        <source>All tools that are not annotated as read-only or non-destructive</source>
        <translation>所有未注解为只读或非破坏性的工具</translation>
    </message>
    <message>
        <source>Ask before each</source>
        <translation>每次运行前询问</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Run without asking</source>
        <translation>运行而不询问</translation>
    </message>
    <message>
        <source>Tools with
side &amp;effects</source>
        <translation>有副作用
的工具(&amp;E)</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Other file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Target server</source>
        <translation>目标服务器</translation>
    </message>
    <message>
        <source>Command line or URL…</source>
        <translation>命令行或 URL…</translation>
    </message>
    <message>
        <source>Command line or URL</source>
        <translation>命令行或 URL</translation>
    </message>
    <message>
        <source>Filter for calls</source>
        <translation>调用筛选器</translation>
    </message>
    <message>
        <source>tool == search and ms &gt; 500</source>
        <translation>tool == search and ms &gt; 500</translation>
    </message>
    <message>
        <source>Ctrl+Space completes fields, values and JSON pointers</source>
        <translation>Ctrl+Space 可补全字段、值和 JSON 指针</translation>
    </message>
    <message>
        <source>Choose a session</source>
        <translation>选择会话</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>会话 (*.mcpsession);;所有文件 (*)</translation>
    </message>
    <message>
        <source>&amp;Selected calls: none</source>
        <translation>选中的调用：无(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Selected call</source>
        <translation>选中的调用(&amp;S)</translation>
    </message>
    <message>
        <source>%1 &amp;selected calls</source>
        <translation>%1 个选中的调用(&amp;S)</translation>
    </message>
    <message>
        <source>No sessions yet. Connect to a server, or choose a file.</source>
        <translation>还没有会话。请连接到服务器，或选择文件。</translation>
    </message>
    <message>
        <source>The URL was redacted in the session. Enter it, or choose a server.</source>
        <translation>URL 已在会话中遮盖。请输入 URL，或选择服务器。</translation>
    </message>
    <message>
        <source>Enter a command line or URL.</source>
        <translation>请输入命令行或 URL。</translation>
    </message>
    <message>
        <source>“%1” is not in the list of servers. Choose a server, or enter a command line or URL.</source>
        <translation>“%1”不在服务器列表中。请选择服务器，或输入命令行或 URL。</translation>
    </message>
    <message>
        <source>A secret was redacted in the session. Replace ‹…› with the real value.</source>
        <translation>会话中有一个机密已遮盖。请将 ‹…› 替换为真实值。</translation>
    </message>
    <message>
        <source>Filter: %1</source>
        <translation>筛选器：%1</translation>
    </message>
    <message>
        <source>Enter a filter, or choose all calls.</source>
        <translation>请输入筛选器，或选择所有调用。</translation>
    </message>
    <message>
        <source>Same as when recorded. </source>
        <translation>与录制时相同。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayDifferences</name>
    <message>
        <source>rule: timestamps</source>
        <translation>规则：时间戳</translation>
    </message>
    <message>
        <source>rule: UUIDs</source>
        <translation>规则：UUID</translation>
    </message>
    <message>
        <source>rule: %1</source>
        <translation>规则：%1</translation>
    </message>
    <message>
        <source>rule: this path</source>
        <translation>规则：此路径</translation>
    </message>
    <message>
        <source>a secret</source>
        <translation>机密</translation>
    </message>
    <message>
        <source>It was redacted when recorded.</source>
        <translation>录制时已被遮盖。</translation>
    </message>
    <message>
        <source>a cursor</source>
        <translation>游标</translation>
    </message>
    <message>
        <source>Only meaningful to the server that created it.</source>
        <translation>只对创建它的服务器有意义。</translation>
    </message>
    <message>
        <source>a task ID</source>
        <translation>任务 ID</translation>
    </message>
    <message>
        <source>Each server names its tasks itself.</source>
        <translation>每个服务器自行命名其任务。</translation>
    </message>
    <message>
        <source>Ignored: %1</source>
        <translation>已忽略：%1</translation>
    </message>
    <message>
        <source>This path in responses of %1</source>
        <translation>%1 响应中的此路径</translation>
    </message>
    <message>
        <source>This path in all items, in responses of %1</source>
        <translation>%1 响应中所有项的此路径</translation>
    </message>
    <message>
        <source>This path in every response</source>
        <translation>每个响应中的此路径</translation>
    </message>
    <message>
        <source>Timestamps here</source>
        <translation>此处的时间戳</translation>
    </message>
    <message>
        <source>Timestamps everywhere</source>
        <translation>所有位置的时间戳</translation>
    </message>
    <message>
        <source>UUIDs here</source>
        <translation>此处的 UUID</translation>
    </message>
    <message>
        <source>UUIDs everywhere</source>
        <translation>所有位置的 UUID</translation>
    </message>
    <message>
        <source>Text matching…</source>
        <translation>匹配以下模式的文本…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayPanel</name>
    <message>
        <source>Cannot create this rule</source>
        <translation>无法创建此规则</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Skip</source>
        <translation>跳过(&amp;S)</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>全部运行</translation>
    </message>
    <message>
        <source>Skip all</source>
        <translation>全部跳过</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Replay · %1 → %2</source>
        <translation>回放 · %1 → %2</translation>
    </message>
    <message>
        <source>%1 may change or delete data. Run it?</source>
        <translation>%1 可能会更改或删除数据。是否运行？</translation>
    </message>
    <message>
        <source>Step %1, with %2</source>
        <translation>步骤 %1，参数 %2</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>保存为已保存的调用…</translation>
    </message>
    <message>
        <source>loading the session…</source>
        <translation>正在加载会话…</translation>
    </message>
    <message>
        <source>starting the server…</source>
        <translation>正在启动服务器…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 个步骤</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 个步骤</translation>
    </message>
    <message>
        <source>The session was not fully replayed</source>
        <translation>会话未完全回放</translation>
    </message>
    <message>
        <source>These recorded server requests outside of calls did not occur</source>
        <translation>以下录制的调用之外的服务器请求没有出现</translation>
    </message>
    <message>
        <source>The session was not replayed</source>
        <translation>会话未回放</translation>
    </message>
    <message>
        <source>The connection to the server was lost during the replay</source>
        <translation>回放期间与服务器的连接丢失</translation>
    </message>
    <message>
        <source>The server did not start</source>
        <translation>服务器未启动</translation>
    </message>
    <message>
        <source>The server could not be reached</source>
        <translation>无法连接到服务器</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>正在加载会话…</translation>
    </message>
    <message>
        <source>Nothing was replayed</source>
        <translation>没有回放任何内容</translation>
    </message>
    <message>
        <source>No calls</source>
        <translation>没有调用</translation>
    </message>
    <message>
        <source>This session contains no requests to a server.</source>
        <translation>此会话不包含对服务器的请求。</translation>
    </message>
    <message>
        <source>None of the session&apos;s calls match the selection.</source>
        <translation>会话中没有与所选条件匹配的调用。</translation>
    </message>
    <message>
        <source>The rules apply to this replay but could not be saved</source>
        <translation>规则适用于此次回放，但无法保存</translation>
    </message>
    <message>
        <source>Accept these responses as the new baseline?</source>
        <translation>将这些响应接受为新的基线？</translation>
    </message>
    <message>
        <source>%1 will contain the new responses. The previous session is kept in the same folder as NAME.before-DATE.</source>
        <translation>%1 将包含新的响应。先前的会话以 NAME.before-DATE 保留在同一文件夹中。</translation>
    </message>
    <message>
        <source>Not accepted; the session is unchanged.</source>
        <translation>未接受；会话未更改。</translation>
    </message>
    <message>
        <source>Accepted: %1 now contains the new responses.</source>
        <translation>已接受：%1 现在包含新的响应。</translation>
    </message>
    <message>
        <source>The previous session is %1.</source>
        <translation>先前的会话为 %1。</translation>
    </message>
    <message>
        <source>Restored, but not run</source>
        <translation>已恢复，但未运行</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Run again.</source>
        <translation>在您点击“再次运行”之前不会发送任何内容。</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>未运行</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepList</name>
    <message>
        <source>Filter steps</source>
        <translation>筛选步骤</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>No matching steps</source>
        <translation>没有匹配的步骤</translation>
    </message>
    <message>
        <source>Change the filter, or click the badge again.</source>
        <translation>请更改筛选器，或再次单击标记。</translation>
    </message>
    <message>
        <source>Filter: words or ms &gt; 500</source>
        <translation>筛选：词语或 ms &gt; 500</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepView</name>
    <message>
        <source>No step selected</source>
        <translation>未选择步骤</translation>
    </message>
    <message>
        <source>Select a step on the left to see its differences.</source>
        <translation>选择左侧的步骤以查看其差异。</translation>
    </message>
    <message>
        <source>There are more differences; comparison stopped here.</source>
        <translation>还有更多差异；比较在此处停止。</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>Response before</source>
        <translation>之前的响应</translation>
    </message>
    <message>
        <source>Response after</source>
        <translation>之后的响应</translation>
    </message>
    <message>
        <source>Step view</source>
        <translation>步骤视图</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>The recorded response</source>
        <translation>录制的响应</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>The response of this replay</source>
        <translation>此次回放的响应</translation>
    </message>
    <message>
        <source>Ignore ▾</source>
        <translation>忽略 ▾</translation>
    </message>
    <message>
        <source>Ignore this difference: menu</source>
        <translation>忽略此差异：菜单</translation>
    </message>
    <message>
        <source>No arguments</source>
        <translation>没有参数</translation>
    </message>
    <message>
        <source>Arguments sent</source>
        <translation>发送的参数</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>The server requests differ from the recorded ones.</source>
        <translation>服务器请求与录制的不同。</translation>
    </message>
    <message>
        <source>Not run yet.</source>
        <translation>尚未运行。</translation>
    </message>
    <message>
        <source>Waiting for response…</source>
        <translation>正在等待响应…</translation>
    </message>
    <message>
        <source>Identical to the recorded response.</source>
        <translation>与录制的响应相同。</translation>
    </message>
    <message>
        <source>Findings about this response</source>
        <translation>关于此响应的检查结果</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepsModel</name>
    <message>
        <source>Duration when recorded, in milliseconds</source>
        <translation>录制时的持续时间（毫秒）</translation>
    </message>
    <message>
        <source>Duration in this replay, in milliseconds</source>
        <translation>此次回放的持续时间（毫秒）</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Before (ms)</source>
        <translation>之前 (ms)</translation>
    </message>
    <message>
        <source>After (ms)</source>
        <translation>之后 (ms)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepsTable</name>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayText</name>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… 正在运行</translation>
    </message>
    <message>
        <source>running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>server request</source>
        <translation>服务器请求</translation>
    </message>
    <message>
        <source>changed: different server requests</source>
        <translation>已更改：服务器请求不同</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>changed: result instead of an error</source>
        <translation>已更改：是结果而不是错误</translation>
    </message>
    <message>
        <source>changed in 1 place</source>
        <translation>1 处更改</translation>
    </message>
    <message>
        <source>changed in %1 places</source>
        <translation>%1 处更改</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>failed: not sent</source>
        <translation>失败：未发送</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>failed: no response</source>
        <translation>失败：无响应</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>%1 same</source>
        <translation>%1 个相同</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 个更改</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 个失败</translation>
    </message>
    <message>
        <source>%1 skipped</source>
        <translation>%1 个跳过</translation>
    </message>
    <message>
        <source>%1 passed</source>
        <translation>%1 个通过</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 个错误</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 个错误</translation>
    </message>
    <message>
        <source>1 ignored by rule</source>
        <translation>1 处被规则忽略</translation>
    </message>
    <message>
        <source>%1 ignored by rules</source>
        <translation>%1 处被规则忽略</translation>
    </message>
    <message>
        <source>no differences</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>任何内容</translation>
    </message>
    <message>
        <source>timestamps</source>
        <translation>时间戳</translation>
    </message>
    <message>
        <source>UUIDs</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>text matching %1</source>
        <translation>匹配 %1 的文本</translation>
    </message>
    <message>
        <source> anywhere</source>
        <translation> 任意位置</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation> 位于 %1</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation> 属于 %1</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> 属于 %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequestModel</name>
    <message>
        <source>elicitation · URL</source>
        <translation>elicitation · URL</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>waiting %1</source>
        <translation>已等待 %1</translation>
    </message>
    <message>
        <source>during %1</source>
        <translation>在 %1 期间</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequestPage</name>
    <message>
        <source>Decline</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Request from %1</source>
        <translation>来自 %1 的请求</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Tells the server that you declined</source>
        <translation>告知服务器您已拒绝</translation>
    </message>
    <message>
        <source>Does not open it; nothing is sent to the server</source>
        <translation>不打开它；不会向服务器发送任何内容</translation>
    </message>
    <message>
        <source>Tells the server that you dismissed the request without deciding</source>
        <translation>告知服务器您未作决定就关闭了请求</translation>
    </message>
    <message>
        <source>Tells the server that you rejected its request</source>
        <translation>告知服务器您拒绝了其请求</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>更多 ▾</translation>
    </message>
    <message>
        <source>More ways to respond</source>
        <translation>更多响应方式</translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · %2 / %3</translation>
    </message>
    <message>
        <source>Next request (%1 waiting)</source>
        <translation>下一个请求（%1 个等待中）</translation>
    </message>
    <message>
        <source>waiting %1</source>
        <translation>已等待 %1</translation>
    </message>
    <message>
        <source>during %1</source>
        <translation>在 %1 期间</translation>
    </message>
    <message>
        <source>The server withdrew this request.</source>
        <translation>服务器撤回了此请求。</translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>没有发送任何内容。</translation>
    </message>
    <message>
        <source>Its reason: “%1”. Nothing was sent.</source>
        <translation>其原因：“%1”。没有发送任何内容。</translation>
    </message>
    <message>
        <source>The call has ended.</source>
        <translation>调用已结束。</translation>
    </message>
    <message>
        <source>%1 What you entered was not sent.</source>
        <translation>%1您输入的内容未发送。</translation>
    </message>
    <message>
        <source>You closed the connection to the server.</source>
        <translation>您关闭了与服务器的连接。</translation>
    </message>
    <message>
        <source>Nothing was sent. The request is in the timeline.</source>
        <translation>没有发送任何内容。请求在时间线中。</translation>
    </message>
    <message>
        <source>The connection to the server was lost.</source>
        <translation>与服务器的连接丢失。</translation>
    </message>
    <message>
        <source>This is no longer needed.</source>
        <translation>不再需要此操作。</translation>
    </message>
    <message>
        <source>Nothing was opened here.</source>
        <translation>此处没有打开任何内容。</translation>
    </message>
    <message>
        <source>Completed, according to the server.</source>
        <translation>据服务器称，已完成。</translation>
    </message>
    <message>
        <source>It is still waiting for your response.</source>
        <translation>它仍在等待您的响应。</translation>
    </message>
    <message>
        <source>Sonde cannot see what you do there. The server may report here when it is completed.</source>
        <translation>Sonde 无法看到您在那里的操作。完成后服务器可能会在此处报告。</translation>
    </message>
    <message>
        <source>Opened in your browser.</source>
        <translation>已在浏览器中打开。</translation>
    </message>
    <message>
        <source>Try the call again when you are done.</source>
        <translation>完成后请再次尝试调用。</translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation>未发送：%1</translation>
    </message>
    <message>
        <source>Last response</source>
        <translation>上次的响应</translation>
    </message>
    <message>
        <source>Always respond like this until the server stops</source>
        <translation>在服务器停止之前始终这样响应</translation>
    </message>
    <message>
        <source>Always respond like this, including to the other waiting request</source>
        <translation>始终这样响应，包括另一个等待中的请求</translation>
    </message>
    <message>
        <source>Always respond like this, including to the %1 other waiting requests</source>
        <translation>始终这样响应，包括另外 %1 个等待中的请求</translation>
    </message>
    <message>
        <source>Send without validation</source>
        <translation>不验证直接发送</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequestPanel</name>
    <message>
        <source>Decline all</source>
        <translation>全部拒绝</translation>
    </message>
    <message>
        <source>Server requests</source>
        <translation>服务器请求</translation>
    </message>
    <message>
        <source>Open server requests</source>
        <translation>待处理的服务器请求</translation>
    </message>
    <message>
        <source>Declines all waiting requests, including those of other servers</source>
        <translation>拒绝所有等待中的请求，包括其他服务器的请求</translation>
    </message>
    <message>
        <source>Fold to the status line</source>
        <translation>折叠到状态行</translation>
    </message>
    <message>
        <source>Fold to the status line; nothing is sent</source>
        <translation>折叠到状态行；不会发送任何内容</translation>
    </message>
    <message>
        <source>Request from %1: %2</source>
        <translation>来自 %1 的请求：%2</translation>
    </message>
    <message>
        <source>%1 requests waiting for you</source>
        <translation>%1 个请求等待您处理</translation>
    </message>
    <message>
        <source>1 more request ended without a response.</source>
        <translation>另有 1 个请求在没有响应的情况下结束。</translation>
    </message>
    <message>
        <source>%1 more requests ended without a response.</source>
        <translation>另有 %1 个请求在没有响应的情况下结束。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequiredUrlsBanner</name>
    <message>
        <source>waiting for your consent</source>
        <translation>等待您的同意</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>not opened</source>
        <translation>未打开</translation>
    </message>
    <message>
        <source>%1 completed, according to the server</source>
        <translation>%1 据服务器称已完成</translation>
    </message>
    <message>
        <source>the connection was lost</source>
        <translation>连接已丢失</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Makes the same call again</source>
        <translation>再次进行相同的调用</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>1 more in the requests panel</source>
        <translation>请求面板中还有 1 个</translation>
    </message>
    <message>
        <source>%1 more in the requests panel</source>
        <translation>请求面板中还有 %1 个</translation>
    </message>
    <message>
        <source>Everything is completed, according to the server. Try the call again.</source>
        <translation>据服务器称，全部已完成。请再次尝试调用。</translation>
    </message>
    <message>
        <source>Open a URL first, then try the call again.</source>
        <translation>请先打开 URL，然后再次尝试调用。</translation>
    </message>
    <message>
        <source>Open %1 URLs first, then try the call again.</source>
        <translation>请先打开 %1 个 URL，然后再次尝试调用。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResourceWatch</name>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Subscribed again when the server is connected.</source>
        <translation>服务器连接后会重新订阅。</translation>
    </message>
    <message>
        <source>Subscription lost; reconnecting…</source>
        <translation>订阅已丢失；正在重新连接…</translation>
    </message>
    <message>
        <source>Subscribing…</source>
        <translation>正在订阅…</translation>
    </message>
    <message>
        <source>Not subscribed: %1</source>
        <translation>未订阅：%1</translation>
    </message>
    <message>
        <source>The server ended the subscription.</source>
        <translation>服务器结束了订阅。</translation>
    </message>
    <message>
        <source>Subscription lost: %1 %2</source>
        <translation>订阅已丢失：%1 %2</translation>
    </message>
    <message>
        <source>● Live</source>
        <translation>● 实时</translation>
    </message>
    <message>
        <source>● Live · changed at %1</source>
        <translation>● 实时 · 更改于 %1</translation>
    </message>
    <message>
        <source>Unsubscribe</source>
        <translation>取消订阅</translation>
    </message>
    <message>
        <source>Subscribe again</source>
        <translation>重新订阅</translation>
    </message>
    <message>
        <source>Subscribe</source>
        <translation>订阅</translation>
    </message>
    <message>
        <source>The server sends a notification when this resource changes; Sonde then reads it again.</source>
        <translation>此资源更改时服务器会发送通知；随后 Sonde 会重新读取它。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Result</name>
    <message>
        <source>1 channel</source>
        <translation>1 个声道</translation>
    </message>
    <message>
        <source>%1 channels</source>
        <translation>%1 个声道</translation>
    </message>
    <message>
        <source>%1 Hz</source>
        <translation>%1 Hz</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Not a displayable image (declared as %1).</source>
        <translation>不是可显示的图像（声明为 %1）。</translation>
    </message>
    <message>
        <source>Looks like %1 but cannot be decoded.</source>
        <translation>看起来像 %1，但无法解码。</translation>
    </message>
    <message>
        <source>Image too large to show: %1. You can save it.</source>
        <translation>图像过大，无法显示：%1。可以将其保存。</translation>
    </message>
    <message>
        <source>Declared as %1, but the data is %2.</source>
        <translation>声明为 %1，但数据是 %2。</translation>
    </message>
    <message>
        <source>Invalid base64: %1</source>
        <translation>无效的 base64：%1</translation>
    </message>
    <message>
        <source>SVG, shown as source</source>
        <translation>SVG，以源代码显示</translation>
    </message>
    <message>
        <source>The image cannot be decoded: %1.</source>
        <translation>无法解码图像：%1。</translation>
    </message>
    <message>
        <source>content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>Saved to %1</source>
        <translation>已保存到 %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultHeader</name>
    <message>
        <source>Response view</source>
        <translation>响应视图</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>The result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Structured</source>
        <translation>结构化</translation>
    </message>
    <message>
        <source>Structured content as a tree</source>
        <translation>以树显示的结构化内容</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Message exactly as received</source>
        <translation>与接收时完全一致的消息</translation>
    </message>
    <message>
        <source>… resuming</source>
        <translation>… 正在恢复</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… 正在运行</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>来自缓存</translation>
    </message>
    <message>
        <source>Duration, size and time: %1</source>
        <translation>持续时间、大小和时间：%1</translation>
    </message>
    <message>
        <source>Copy summary</source>
        <translation>复制摘要</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultMenus</name>
    <message>
        <source>Copy message as JSON</source>
        <translation>将消息复制为 JSON</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Filter timeline by this value</source>
        <translation>按此值筛选时间线</translation>
    </message>
    <message>
        <source>Filter timeline by selected text</source>
        <translation>按选中的文本筛选时间线</translation>
    </message>
    <message>
        <source>Filter timeline by this resource</source>
        <translation>按此资源筛选时间线</translation>
    </message>
    <message>
        <source>Filter timeline by this call</source>
        <translation>按此调用筛选时间线</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultView</name>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Structured content</source>
        <translation>结构化内容</translation>
    </message>
    <message>
        <source>The server returned no contents.</source>
        <translation>服务器没有返回内容。</translation>
    </message>
    <message>
        <source>Show more of the response</source>
        <translation>显示响应的更多内容</translation>
    </message>
    <message>
        <source>1 block not shown</source>
        <translation>1 个块未显示</translation>
    </message>
    <message>
        <source>%1 blocks not shown</source>
        <translation>%1 个块未显示</translation>
    </message>
    <message>
        <source>Show %1 more of %2</source>
        <translation>再显示 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>The result has no content.</source>
        <translation>结果没有内容。</translation>
    </message>
    <message>
        <source>No content blocks. Hosts that read only content show the model nothing.</source>
        <translation>没有内容块。只读取 content 的宿主不会向模型展示任何内容。</translation>
    </message>
    <message>
        <source>Empty content; a model would see nothing.</source>
        <translation>内容为空；模型看不到任何内容。</translation>
    </message>
    <message>
        <source>does not match outputSchema</source>
        <translation>与 outputSchema 不匹配</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>The prompt has no messages.</source>
        <translation>该提示词没有消息。</translation>
    </message>
    <message>
        <source>no role</source>
        <translation>无角色</translation>
    </message>
    <message>
        <source>Role: %1</source>
        <translation>角色：%1</translation>
    </message>
    <message>
        <source>Empty message.</source>
        <translation>空消息。</translation>
    </message>
    <message>
        <source>Error data</source>
        <translation>错误数据</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Last line of stderr</source>
        <translation>stderr 的最后一行</translation>
    </message>
    <message>
        <source>Last %1 lines of stderr</source>
        <translation>stderr 的最后 %1 行</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>No result yet</source>
        <translation>尚无结果</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>Copy error text</source>
        <translation>复制错误文本</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RetentionDialog</name>
    <message>
        <source>Delete sessions</source>
        <translation>删除会话</translation>
    </message>
    <message>
        <source>This session exceeds the limits that you set in Preferences.</source>
        <translation>此会话超出了您在首选项中设置的限制。</translation>
    </message>
    <message>
        <source>These %1 sessions exceed the limits that you set in Preferences.</source>
        <translation>这 %1 个会话超出了您在首选项中设置的限制。</translation>
    </message>
    <message>
        <source>Sessions to delete</source>
        <translation>要删除的会话</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>%1 in all. This cannot be undone.</source>
        <translation>共 %1。此操作无法撤消。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除这些会话</translation>
    </message>
    <message>
        <source>%1 Pinned and open sessions are kept.</source>
        <translation>%1已固定和已打开的会话会保留。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RowComparison</name>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RowMenu</name>
    <message>
        <source>Open in new window</source>
        <translation>在新窗口中打开</translation>
    </message>
    <message>
        <source>Go to response</source>
        <translation>转到响应</translation>
    </message>
    <message>
        <source>Go to request</source>
        <translation>转到请求</translation>
    </message>
    <message>
        <source>Replay selected…</source>
        <translation>回放选中项…</translation>
    </message>
    <message>
        <source>Export selected…</source>
        <translation>导出选中项…</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Copy as curl</source>
        <translation>复制为 curl</translation>
    </message>
    <message>
        <source>HTTP only</source>
        <translation>仅 HTTP</translation>
    </message>
    <message>
        <source>Copy as sonde-cli command</source>
        <translation>复制为 sonde-cli 命令</translation>
    </message>
    <message>
        <source>tools, resources and prompts only</source>
        <translation>仅工具、资源和提示词</translation>
    </message>
    <message>
        <source>params are not an object</source>
        <translation>params 不是对象</translation>
    </message>
    <message>
        <source>launch command not recorded</source>
        <translation>启动命令未录制</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>再次发送</translation>
    </message>
    <message>
        <source>Edit and send…</source>
        <translation>编辑并发送…</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>保存为已保存的调用…</translation>
    </message>
    <message>
        <source>Compare selected rows</source>
        <translation>比较选中的行</translation>
    </message>
    <message>
        <source>Compare with #%1</source>
        <translation>与 #%1 比较</translation>
    </message>
    <message>
        <source>Select for comparison</source>
        <translation>选择以进行比较</translation>
    </message>
    <message>
        <source>Then choose another row, or select two rows with Ctrl.</source>
        <translation>然后选择另一行，或按住 Ctrl 选择两行。</translation>
    </message>
    <message>
        <source>Show time</source>
        <translation>显示时间</translation>
    </message>
    <message>
        <source>As clock</source>
        <translation>时钟时间</translation>
    </message>
    <message>
        <source>Since session start</source>
        <translation>自会话开始</translation>
    </message>
    <message>
        <source>Since previous row</source>
        <translation>自上一行</translation>
    </message>
    <message>
        <source>Since its request</source>
        <translation>自其请求</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RunningView</name>
    <message>
        <source>Show request</source>
        <translation>显示请求</translation>
    </message>
    <message>
        <source>Elapsed time</source>
        <translation>已用时间</translation>
    </message>
    <message>
        <source>Progress message from the server</source>
        <translation>来自服务器的进度消息</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Show the request of the server</source>
        <translation>显示服务器的请求</translation>
    </message>
    <message>
        <source>Shows the server&apos;s request</source>
        <translation>显示服务器的请求</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Resuming (%1)… %2 s</source>
        <translation>正在恢复（%1）… %2 秒</translation>
    </message>
    <message>
        <source>Waiting for sign-in… %1 s</source>
        <translation>正在等待登录… %1 秒</translation>
    </message>
    <message>
        <source>Running as a task… %1 s</source>
        <translation>正在作为任务运行… %1 秒</translation>
    </message>
    <message>
        <source>Waiting for response… %1 s</source>
        <translation>正在等待响应… %1 秒</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Cancel call</source>
        <translation>取消调用</translation>
    </message>
    <message>
        <source>Waiting for your response… %1</source>
        <translation>正在等待您的响应… %1</translation>
    </message>
    <message>
        <source>Cancel the call</source>
        <translation>取消调用</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SamplingBody</name>
    <message>
        <source>max %1 tokens</source>
        <translation>最多 %1 个 token</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>温度 %1</translation>
    </message>
    <message>
        <source>stop sequences %1</source>
        <translation>停止序列 %1</translation>
    </message>
    <message>
        <source>context %1</source>
        <translation>上下文 %1</translation>
    </message>
    <message>
        <source>model like %1</source>
        <translation>模型类似 %1</translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation>成本 %1</translation>
    </message>
    <message>
        <source>speed %1</source>
        <translation>速度 %1</translation>
    </message>
    <message>
        <source>intelligence %1</source>
        <translation>智能 %1</translation>
    </message>
    <message>
        <source>tool call: %1</source>
        <translation>工具调用：%1</translation>
    </message>
    <message>
        <source>tool result</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>(no role)</source>
        <translation>（无角色）</translation>
    </message>
    <message>
        <source>The server sent no messages.</source>
        <translation>服务器没有发送消息。</translation>
    </message>
    <message>
        <source>The timeline shows the rest.</source>
        <translation>其余内容见时间线。</translation>
    </message>
    <message>
        <source>tool %1: %2</source>
        <translation>工具 %1：%2</translation>
    </message>
    <message>
        <source>tool choice: %1</source>
        <translation>工具选择：%1</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>sampling</translation>
    </message>
    <message>
        <source>Respond</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Short text</source>
        <translation>短文本</translation>
    </message>
    <message>
        <source>Cut off at the token limit</source>
        <translation>在 token 上限处截断</translation>
    </message>
    <message>
        <source>Call the tool %1</source>
        <translation>调用工具 %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SaveCallDialog</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as saved call</source>
        <translation>保存为已保存的调用</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>Expect the &amp;same error</source>
        <translation>期望相同的错误(&amp;S)</translation>
    </message>
    <message>
        <source>Expect the &amp;same result</source>
        <translation>期望相同的结果(&amp;S)</translation>
    </message>
    <message>
        <source>Otherwise any response with the same outcome passes</source>
        <translation>否则，结果状态相同的任何响应都算通过</translation>
    </message>
    <message>
        <source>Expectation</source>
        <translation>期望</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replaces %1.</source>
        <translation>替换 %1。</translation>
    </message>
    <message>
        <source>Creates %1.</source>
        <translation>创建 %1。</translation>
    </message>
    <message>
        <source>Secrets are not saved: they are read from the environment variables %1.</source>
        <translation>机密不会保存：从环境变量 %1 中读取。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SavedCallBar</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Read file</source>
        <translation>读取文件</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Show differences</source>
        <translation>显示差异</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Write these arguments to the file</source>
        <translation>将这些参数写入文件</translation>
    </message>
    <message>
        <source>Replace the arguments here by those of the file; undo brings them back</source>
        <translation>将此处的参数替换为文件中的参数；撤消可恢复</translation>
    </message>
    <message>
        <source>Keep the arguments here; Save writes them to the file</source>
        <translation>保留此处的参数；“保存”会将其写入文件</translation>
    </message>
    <message>
        <source>What came back becomes what is expected, in the file</source>
        <translation>返回的内容将成为文件中期望的内容</translation>
    </message>
    <message>
        <source>%1 Save writes it again.</source>
        <translation>%1“保存”会重新写入。</translation>
    </message>
    <message>
        <source>Another program changed the arguments in the file. Yours are not saved.</source>
        <translation>其他程序更改了文件中的参数。您的参数未保存。</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Saved. Secrets are read from the environment: %1.</source>
        <translation>已保存。机密从环境中读取：%1。</translation>
    </message>
    <message>
        <source>expects the saved result</source>
        <translation>期望已保存的结果</translation>
    </message>
    <message>
        <source>expects the saved error</source>
        <translation>期望已保存的错误</translation>
    </message>
    <message>
        <source>expects %1</source>
        <translation>期望%1</translation>
    </message>
    <message>
        <source>1 ignore rule</source>
        <translation>1 条忽略规则</translation>
    </message>
    <message>
        <source>%1 ignore rules</source>
        <translation>%1 条忽略规则</translation>
    </message>
    <message>
        <source>within %1 ms</source>
        <translation>%1 ms 内</translation>
    </message>
    <message>
        <source>Cancelled by you.</source>
        <translation>已被您取消。</translation>
    </message>
    <message>
        <source>Passed: %1, as expected</source>
        <translation>已通过：%1，符合期望</translation>
    </message>
    <message>
        <source>Not as expected</source>
        <translation>不符合期望</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SavedCallsPanel</name>
    <message>
        <source>Saved call</source>
        <translation>已保存的调用</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Duration in milliseconds</source>
        <translation>持续时间（毫秒）</translation>
    </message>
    <message>
        <source>Rerun failed</source>
        <translation>重新运行失败项</translation>
    </message>
    <message>
        <source>Run those that did not pass again</source>
        <translation>重新运行未通过的调用</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>已保存的调用</translation>
    </message>
    <message>
        <source>The server was closed.</source>
        <translation>服务器已关闭。</translation>
    </message>
    <message>
        <source>Saved calls · %1 → %2</source>
        <translation>已保存的调用 · %1 → %2</translation>
    </message>
    <message>
        <source>Not all calls were run</source>
        <translation>并非所有调用都已运行</translation>
    </message>
    <message>
        <source>The server was restarted.</source>
        <translation>服务器已重启。</translation>
    </message>
    <message>
        <source>The server %1.</source>
        <translation>服务器%1。</translation>
    </message>
    <message>
        <source>The server was stopped.</source>
        <translation>服务器已停止。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 个调用</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 个调用</translation>
    </message>
    <message>
        <source>The suite is running</source>
        <translation>套件正在运行</translation>
    </message>
    <message>
        <source>No call has returned anything but what is expected</source>
        <translation>没有调用返回期望之外的内容</translation>
    </message>
    <message>
        <source>Restored, but not run</source>
        <translation>已恢复，但未运行</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Run again.</source>
        <translation>在您点击“再次运行”之前不会发送任何内容。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SchemaForm</name>
    <message>
        <source>This tool declares no arguments; you can add your own.</source>
        <translation>此工具未声明参数；可以添加其他参数。</translation>
    </message>
    <message>
        <source>This tool takes no arguments.</source>
        <translation>此工具没有参数。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SchemaWindow</name>
    <message>
        <source>Schema of %1</source>
        <translation>%1 的 Schema</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SecretEditor</name>
    <message>
        <source>empty string</source>
        <translation>空字符串</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SendDialog</name>
    <message>
        <source>Send  Ctrl+↵</source>
        <translation>发送  Ctrl+↵</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Edit and send</source>
        <translation>编辑并发送</translation>
    </message>
    <message>
        <source>Editing mode</source>
        <translation>编辑模式</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Method, id and params</source>
        <translation>method、id 和 params</translation>
    </message>
    <message>
        <source>Raw JSON</source>
        <translation>原始 JSON</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>ID, as JSON</source>
        <translation>ID，JSON 格式</translation>
    </message>
    <message>
        <source>none (notification)</source>
        <translation>无（通知）</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>no params</source>
        <translation>无参数</translation>
    </message>
    <message>
        <source>▲ Editing as fields needs valid JSON: an object with a method.</source>
        <translation>▲ 按字段编辑需要有效的 JSON：一个带 method 的对象。</translation>
    </message>
    <message>
        <source>No ID; no response will follow</source>
        <translation>无 ID；不会有响应</translation>
    </message>
    <message>
        <source>new ID</source>
        <translation>新 ID</translation>
    </message>
    <message>
        <source>Original ID; the response may be matched to the first request</source>
        <translation>原始 ID；响应可能会与第一个请求匹配</translation>
    </message>
    <message>
        <source>Custom ID, as JSON</source>
        <translation>自定义 ID，JSON 格式</translation>
    </message>
    <message>
        <source>▲ This is not valid JSON. It will be sent anyway, unchanged, on one line.</source>
        <translation>▲ 这不是有效的 JSON。仍会原样作为一行发送。</translation>
    </message>
    <message>
        <source>A secret was redacted in the session. Replace ‹…› with the real value.</source>
        <translation>会话中有一个机密已遮盖。请将 ‹…› 替换为真实值。</translation>
    </message>
    <message>
        <source>Undo reset</source>
        <translation>撤消重置</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerDialog</name>
    <message>
        <source>Add and connect</source>
        <translation>添加并连接</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Inherit Sonde&apos;s full environment</source>
        <translation>继承 Sonde 的完整环境</translation>
    </message>
    <message>
        <source>Use the login shell&apos;s PATH</source>
        <translation>使用登录 shell 的 PATH</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Load lists page by page</source>
        <translation>逐页加载列表</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>&amp;Command line</source>
        <translation>命令行(&amp;C)</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>home directory</source>
        <translation>主目录</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>&amp;Working directory</source>
        <translation>工作目录(&amp;W)</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>环境(&amp;E)</translation>
    </message>
    <message>
        <source>Otherwise the server gets HOME, PATH, LANG and a few others, plus the variables above.</source>
        <translation>否则，服务器将获得 HOME、PATH、LANG 及其他几个变量，外加上面的变量。</translation>
    </message>
    <message>
        <source>PATH as in a terminal, where version managers set it. Your shell is run once to read it.</source>
        <translation>与终端中相同的 PATH，即版本管理器设置它的地方。会运行一次您的 shell 来读取它。</translation>
    </message>
    <message>
        <source>&amp;URL</source>
        <translation>URL(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Transport</source>
        <translation>传输方式(&amp;T)</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>&amp;Headers</source>
        <translation>标头(&amp;H)</translation>
    </message>
    <message>
        <source>Sent with every request; secrets are masked in sessions.</source>
        <translation>随每个请求发送；机密在会话中会被掩盖。</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>Automatic tries Streamable HTTP first, then HTTP+SSE. Takes effect at the next start.</source>
        <translation>“自动”先尝试 Streamable HTTP，再尝试 HTTP+SSE。下次启动时生效。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Streamable HTTP</source>
        <translation>Streamable HTTP</translation>
    </message>
    <message>
        <source>HTTP+SSE</source>
        <translation>HTTP+SSE</translation>
    </message>
    <message>
        <source>Protocol revision</source>
        <translation>协议修订版</translation>
    </message>
    <message>
        <source>Automatic sends server/discover to see whether the server supports 2026-07-28, and falls back to initialize. Takes effect at the next start.</source>
        <translation>“自动”会发送 server/discover 以查看服务器是否支持 2026-07-28，否则退回 initialize。下次启动时生效。</translation>
    </message>
    <message>
        <source>&amp;Protocol revision</source>
        <translation>协议修订版(&amp;P)</translation>
    </message>
    <message>
        <source>Roots</source>
        <translation>根目录</translation>
    </message>
    <message>
        <source>Folders to send to the server when it asks for roots</source>
        <translation>服务器请求 roots 时发送给它的文件夹</translation>
    </message>
    <message>
        <source>&amp;Roots</source>
        <translation>根目录(&amp;R)</translation>
    </message>
    <message>
        <source>Elicitation: forms</source>
        <translation>Elicitation：表单</translation>
    </message>
    <message>
        <source>Elicitation: URLs</source>
        <translation>Elicitation：URL</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>Sampling: tools</source>
        <translation>Sampling：工具</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Client info (2026-07-28)</source>
        <translation>客户端信息（2026-07-28）</translation>
    </message>
    <message>
        <source>Client capabilities</source>
        <translation>客户端能力</translation>
    </message>
    <message>
        <source>Switch one off to see how the server treats a client without it. Takes effect at the next start.</source>
        <translation>关闭其中一项，可查看服务器如何对待没有该能力的客户端。下次启动时生效。</translation>
    </message>
    <message>
        <source>Connecting loads only the first page of tools, resources and prompts; load more from the list in the side bar. Takes effect at the next start.</source>
        <translation>连接时只加载工具、资源和提示词的第一页；可从侧边栏的列表中加载更多。下次启动时生效。</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Edit sign-in settings</source>
        <translation>编辑登录设置</translation>
    </message>
    <message>
        <source>Grant and client of the sign-in</source>
        <translation>登录的授权方式和客户端</translation>
    </message>
    <message>
        <source>Edit network settings</source>
        <translation>编辑网络设置</translation>
    </message>
    <message>
        <source>Proxy, certificates and allowed hosts</source>
        <translation>代理、证书和允许的主机</translation>
    </message>
    <message>
        <source>Enter the server&apos;s URL.</source>
        <translation>请输入服务器的 URL。</translation>
    </message>
    <message>
        <source>Enter the command that starts the server.</source>
        <translation>请输入启动服务器的命令。</translation>
    </message>
    <message>
        <source>Enter a name for the server.</source>
        <translation>请输入服务器的名称。</translation>
    </message>
    <message>
        <source>That looks like a URL; switched to URL.</source>
        <translation>这看起来像 URL；已切换为 URL。</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Edit timeouts</source>
        <translation>编辑超时</translation>
    </message>
    <message>
        <source>How long to wait for this server</source>
        <translation>等待此服务器的时间</translation>
    </message>
    <message>
        <source>as in the preferences</source>
        <translation>按首选项</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerExportDialog</name>
    <message>
        <source>&amp;Include secret values</source>
        <translation>包含机密值(&amp;I)</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Export servers</source>
        <translation>导出服务器</translation>
    </message>
    <message>
        <source>Servers to export</source>
        <translation>要导出的服务器</translation>
    </message>
    <message>
        <source>mcpServers JSON</source>
        <translation>mcpServers JSON</translation>
    </message>
    <message>
        <source>Otherwise a placeholder such as &lt;API_KEY&gt; is written</source>
        <translation>否则写入 &lt;API_KEY&gt; 之类的占位符</translation>
    </message>
    <message>
        <source>Choose at least one server.</source>
        <translation>请至少选择一个服务器。</translation>
    </message>
    <message>
        <source>Waiting for the keychain</source>
        <translation>正在等待密钥链</translation>
    </message>
    <message>
        <source>%1 Values that could not be read are replaced by placeholders.</source>
        <translation>%1无法读取的值会替换为占位符。</translation>
    </message>
    <message>
        <source>The text contains secrets. Do not share it.</source>
        <translation>文本包含机密。请勿共享。</translation>
    </message>
    <message>
        <source>Secrets are replaced by placeholders.</source>
        <translation>机密会替换为占位符。</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>mcpServers JSON (*.json)</source>
        <translation>mcpServers JSON (*.json)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerListModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerListView</name>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>No matching servers. Esc clears the filter.</source>
        <translation>没有匹配的服务器。按 Esc 清除筛选器。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerPanel</name>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Detect again</source>
        <translation>重新检测</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ping</source>
        <translation>Ping</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Refresh lists</source>
        <translation>刷新列表</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>List tools, resources and prompts again</source>
        <translation>重新列出工具、资源和提示词</translation>
    </message>
    <message>
        <source>Reconnects and detects the protocol revision and transport again</source>
        <translation>重新连接，并重新检测协议修订版和传输方式</translation>
    </message>
    <message>
        <source>Load icons of this server</source>
        <translation>加载此服务器的图标</translation>
    </message>
    <message>
        <source>Client and server capabilities</source>
        <translation>客户端和服务器的能力</translation>
    </message>
    <message>
        <source>%1 %2 s</source>
        <translation>%1 %2 秒</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Restart (%1)</source>
        <translation>重启 (%1)</translation>
    </message>
    <message>
        <source>Reconnect (%1)</source>
        <translation>重新连接 (%1)</translation>
    </message>
    <message>
        <source>Start (%1)</source>
        <translation>启动 (%1)</translation>
    </message>
    <message>
        <source>Connect (%1)</source>
        <translation>连接 (%1)</translation>
    </message>
    <message>
        <source>capabilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>%1 did not start</source>
        <translation>%1 未启动</translation>
    </message>
    <message>
        <source>%1 did not connect</source>
        <translation>%1 未连接</translation>
    </message>
    <message>
        <source> and 1 other host</source>
        <translation> 以及另外 1 个主机</translation>
    </message>
    <message>
        <source> and %1 other hosts</source>
        <translation> 以及另外 %1 个主机</translation>
    </message>
    <message>
        <source>Stop loading icons from %1</source>
        <translation>停止从 %1 加载图标</translation>
    </message>
    <message>
        <source>Load icons of this server from %1</source>
        <translation>从 %1 加载此服务器的图标</translation>
    </message>
    <message>
        <source>Sonde sends nothing about you, but the host learns your IP address.</source>
        <translation>Sonde 不会发送任何关于您的信息，但主机会获知您的 IP 地址。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Resource templates</source>
        <translation>资源模板</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>%1 loaded, more on the server</source>
        <translation>已加载 %1，服务器上还有更多</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Hide launch details</source>
        <translation>隐藏启动详细信息</translation>
    </message>
    <message>
        <source>Show launch details</source>
        <translation>显示启动详细信息</translation>
    </message>
    <message>
        <source>Hide connection details</source>
        <translation>隐藏连接详细信息</translation>
    </message>
    <message>
        <source>Show connection details</source>
        <translation>显示连接详细信息</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 个工具</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 个资源</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 个资源</translation>
    </message>
    <message>
        <source>1 resource template</source>
        <translation>1 个资源模板</translation>
    </message>
    <message>
        <source>%1 resource templates</source>
        <translation>%1 个资源模板</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 个提示词</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 个提示词</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>%1, version %2</source>
        <translation>%1，版本 %2</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Website</source>
        <translation>网站</translation>
    </message>
    <message>
        <source>Offers</source>
        <translation>提供</translation>
    </message>
    <message>
        <source>Protocol revision</source>
        <translation>协议修订版</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>握手</translation>
    </message>
    <message>
        <source>Discovery</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>in memory only</source>
        <translation>仅在内存中</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>PATH</source>
        <translation>PATH</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerStatus</name>
    <message>
        <source>not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionHitsModel</name>
    <message>
        <source>Protocol error</source>
        <translation>协议错误</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Call or record</source>
        <translation>调用或记录</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果状态</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>持续时间</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionPanel</name>
    <message>
        <source>Replay…</source>
        <translation>回放…</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>关闭会话</translation>
    </message>
    <message>
        <source>Its tools, resources and prompts are in the side bar, its messages below.</source>
        <translation>其工具、资源和提示词在侧边栏中，其消息在下方。</translation>
    </message>
    <message>
        <source>Recorded session of %1</source>
        <translation>%1 的录制会话</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>持续时间</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>ended normally</source>
        <translation>正常结束</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>文件大小</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionSearchPage</name>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Filter, such as: tool == search and outcome ~ error</source>
        <translation>筛选器，例如：tool == search and outcome ~ error</translation>
    </message>
    <message>
        <source>Filter for all sessions</source>
        <translation>用于所有会话的筛选器</translation>
    </message>
    <message>
        <source>Time of the rows</source>
        <translation>行的时间</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>任意时间</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Last 365 days</source>
        <translation>最近 365 天</translation>
    </message>
    <message>
        <source>Found rows</source>
        <translation>找到的行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Search all recorded sessions</source>
        <translation>搜索所有录制的会话</translation>
    </message>
    <message>
        <source>Type a timeline filter and press Enter. For the calls of one tool that failed: tool == search and outcome ~ error</source>
        <translation>输入时间线筛选器并按 Enter。例如查找某个工具失败的调用：tool == search and outcome ~ error</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>No rows match</source>
        <translation>没有匹配的行</translation>
    </message>
    <message>
        <source>Change the filter, or choose a longer time.</source>
        <translation>请更改筛选器，或选择更长的时间。</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 of %2 sessions</source>
        <translation>%1 / %2 个会话</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 个会话</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 个会话</translation>
    </message>
    <message>
        <source>There are more; only these are shown.</source>
        <translation>还有更多；只显示了这些。</translation>
    </message>
    <message>
        <source>1 session could not be read.</source>
        <translation>1 个会话无法读取。</translation>
    </message>
    <message>
        <source>%1 sessions could not be read.</source>
        <translation>%1 个会话无法读取。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionsDialog</name>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Notes can have %1 characters; the pasted text is longer and was not inserted.</source>
        <translation>备注最多可有 %1 个字符；粘贴的文本更长，因此未插入。</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>回放…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>录制的会话</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search all sessions</source>
        <translation>搜索所有会话</translation>
    </message>
    <message>
        <source>Filter by server, name or notes</source>
        <translation>按服务器、名称或备注筛选</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>查看…</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Notes about this session</source>
        <translation>此会话的备注</translation>
    </message>
    <message>
        <source>A pinned session is never proposed for deletion</source>
        <translation>从不建议删除已固定的会话</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Other file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Repeat the session&apos;s calls and compare the responses</source>
        <translation>重复会话的调用并比较响应</translation>
    </message>
    <message>
        <source>Limits…</source>
        <translation>限制…</translation>
    </message>
    <message>
        <source>How large a session may become, and which ones to keep</source>
        <translation>会话可以达到的大小，以及要保留哪些会话</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>1 session is beyond your limits</source>
        <translation>1 个会话超出您的限制</translation>
    </message>
    <message>
        <source>%1 sessions are beyond your limits</source>
        <translation>%1 个会话超出您的限制</translation>
    </message>
    <message>
        <source>%1 in all. Nothing is deleted until you confirm the list.</source>
        <translation>共 %1。在您确认列表之前不会删除任何内容。</translation>
    </message>
    <message>
        <source>No recorded sessions</source>
        <translation>没有录制的会话</translation>
    </message>
    <message>
        <source>Connect to a server; its session will appear here.</source>
        <translation>连接到服务器后，其会话会显示在此处。</translation>
    </message>
    <message>
        <source>No sessions match “%1”</source>
        <translation>没有与“%1”匹配的会话</translation>
    </message>
    <message>
        <source>Sessions are searched by server, name, notes and file name.</source>
        <translation>会话按服务器、名称、备注和文件名搜索。</translation>
    </message>
    <message>
        <source>★ Pinned</source>
        <translation>★ 已固定</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>会话 (*.mcpsession);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Delete sessions</source>
        <translation>删除会话</translation>
    </message>
    <message>
        <source>Delete this recorded session? This cannot be undone.</source>
        <translation>删除此录制的会话？此操作无法撤消。</translation>
    </message>
    <message>
        <source>Delete %1 recorded sessions? This cannot be undone.</source>
        <translation>删除 %1 个录制的会话？此操作无法撤消。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionsModel</name>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Name and notes</source>
        <translation>名称和备注</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>持续时间</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>正在录制</translation>
    </message>
    <message>
        <source>replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>1 part is damaged and was skipped.</source>
        <translation>1 个部分已损坏，已跳过。</translation>
    </message>
    <message>
        <source>%1 parts are damaged and were skipped.</source>
        <translation>%1 个部分已损坏，已跳过。</translation>
    </message>
    <message>
        <source>The recording program did not end this session. What was recorded until then is complete.</source>
        <translation>录制程序没有结束此会话。在此之前录制的内容是完整的。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ShortcutEditor</name>
    <message>
        <source>Reassign</source>
        <translation>重新分配</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>No command matches.</source>
        <translation>没有匹配的命令。</translation>
    </message>
    <message>
        <source>%1 alone is needed by text fields. Combine it with Ctrl or Alt.</source>
        <translation>文本字段需要单独的 %1。请将其与 Ctrl 或 Alt 组合。</translation>
    </message>
    <message>
        <source>%1 is not free: %2.</source>
        <translation>%1 不可用：%2。</translation>
    </message>
    <message>
        <source>%1 is always “%2”.</source>
        <translation>%1 始终是“%2”。</translation>
    </message>
    <message>
        <source>%1 is already used by “%2”.</source>
        <translation>%1 已被“%2”使用。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Restore default</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>Filter by command or shortcut</source>
        <translation>按命令或快捷键筛选</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Shortcut of the command</source>
        <translation>命令的快捷键</translation>
    </message>
    <message>
        <source>Press the new shortcut</source>
        <translation>请按新的快捷键</translation>
    </message>
    <message>
        <source>Remove the shortcut of this command</source>
        <translation>移除此命令的快捷键</translation>
    </message>
    <message>
        <source>Give this command its default shortcut</source>
        <translation>将此命令恢复为默认快捷键</translation>
    </message>
    <message>
        <source>This shortcut belongs to the field or text that has the focus.</source>
        <translation>此快捷键属于拥有焦点的字段或文本。</translation>
    </message>
    <message>
        <source>“%1” loses this shortcut</source>
        <translation>“%1”将失去此快捷键</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SideBar</name>
    <message>
        <source>SERVERS</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Filter servers</source>
        <translation>筛选服务器</translation>
    </message>
    <message>
        <source>Filter servers…</source>
        <translation>筛选服务器…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SideBySide</name>
    <message>
        <source>JSON inside strings is formatted</source>
        <translation>字符串中的 JSON 已格式化</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Formatting…</source>
        <translation>正在格式化…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SignInDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>使用这些设置</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Sign-in to %1</source>
        <translation>登录 %1</translation>
    </message>
    <message>
        <source>Grant</source>
        <translation>授权方式</translation>
    </message>
    <message>
        <source>Authorization code: you, in the browser</source>
        <translation>授权码：您本人，在浏览器中</translation>
    </message>
    <message>
        <source>Client credentials: Sonde itself</source>
        <translation>客户端凭据：Sonde 自身</translation>
    </message>
    <message>
        <source>Enterprise-managed: you, through your organization</source>
        <translation>企业管理：您本人，通过您的组织</translation>
    </message>
    <message>
        <source>Workload identity: this machine</source>
        <translation>工作负载标识：此计算机</translation>
    </message>
    <message>
        <source>&amp;Grant</source>
        <translation>授权方式(&amp;G)</translation>
    </message>
    <message>
        <source>Client &amp;ID</source>
        <translation>客户端 ID(&amp;I)</translation>
    </message>
    <message>
        <source>none: Sonde registers itself if the server allows it</source>
        <translation>无：如果服务器允许，Sonde 会自行注册</translation>
    </message>
    <message>
        <source>Client &amp;secret</source>
        <translation>客户端机密(&amp;S)</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Iss&amp;uer</source>
        <translation>颁发者(&amp;U)</translation>
    </message>
    <message>
        <source>URL; credentials are sent to no other server</source>
        <translation>URL；凭据不会发送到其他任何服务器</translation>
    </message>
    <message>
        <source>&amp;Redirect URL</source>
        <translation>重定向 URL(&amp;R)</translation>
    </message>
    <message>
        <source>http://127.0.0.1 with any free port</source>
        <translation>http://127.0.0.1，使用任意空闲端口</translation>
    </message>
    <message>
        <source>Client &amp;metadata URL</source>
        <translation>客户端元数据 URL(&amp;M)</translation>
    </message>
    <message>
        <source>Private &amp;key (PEM)</source>
        <translation>私钥（PEM）(&amp;K)</translation>
    </message>
    <message>
        <source>none: the client secret is used</source>
        <translation>无：使用客户端机密</translation>
    </message>
    <message>
        <source>Key &amp;algorithm</source>
        <translation>密钥算法(&amp;A)</translation>
    </message>
    <message>
        <source>Provider&apos;s &amp;token URL</source>
        <translation>提供方的令牌 URL(&amp;T)</translation>
    </message>
    <message>
        <source>the token endpoint of the identity provider</source>
        <translation>身份提供方的令牌端点</translation>
    </message>
    <message>
        <source>Provider&apos;s &amp;client ID</source>
        <translation>提供方的客户端 ID(&amp;C)</translation>
    </message>
    <message>
        <source>ID &amp;token</source>
        <translation>ID 令牌(&amp;T)</translation>
    </message>
    <message>
        <source>issued by the identity provider</source>
        <translation>由身份提供方颁发</translation>
    </message>
    <message>
        <source>Workload &amp;token</source>
        <translation>工作负载令牌(&amp;T)</translation>
    </message>
    <message>
        <source>issued to this machine by its platform</source>
        <translation>由平台颁发给此计算机</translation>
    </message>
    <message>
        <source>(in the keychain)</source>
        <translation>（在密钥链中）</translation>
    </message>
    <message>
        <source>Used if the server requires a sign-in. Takes effect at the next start. Secrets are kept in the keychain.</source>
        <translation>在服务器要求登录时使用。下次启动时生效。机密保存在密钥链中。</translation>
    </message>
    <message>
        <source>in the browser, if required</source>
        <translation>需要时在浏览器中</translation>
    </message>
    <message>
        <source>client credentials</source>
        <translation>客户端凭据</translation>
    </message>
    <message>
        <source>enterprise-managed</source>
        <translation>企业管理</translation>
    </message>
    <message>
        <source>workload identity</source>
        <translation>工作负载标识</translation>
    </message>
    <message>
        <source>client ID %1</source>
        <translation>客户端 ID %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SignInView</name>
    <message>
        <source>%1 (refreshed with the next request)</source>
        <translation>%1（下一个请求时刷新）</translation>
    </message>
    <message>
        <source>%1 (expired)</source>
        <translation>%1（已过期）</translation>
    </message>
    <message>
        <source>%1 (in %2 s)</source>
        <translation>%1（%2 秒后）</translation>
    </message>
    <message>
        <source>%1 (in %2 min)</source>
        <translation>%1（%2 分钟后）</translation>
    </message>
    <message>
        <source>%1 (in %2 h)</source>
        <translation>%1（%2 小时后）</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>立即刷新</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>退出登录</translation>
    </message>
    <message>
        <source>Cancel sign-in</source>
        <translation>取消登录</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Deletes the tokens here and in the keychain, and has the authorization server revoke them.</source>
        <translation>删除此处和密钥链中的令牌，并让授权服务器吊销它们。</translation>
    </message>
    <message>
        <source>URL that the browser was redirected to</source>
        <translation>浏览器被重定向到的 URL</translation>
    </message>
    <message>
        <source>Requests and responses of the step</source>
        <translation>此步骤的请求和响应</translation>
    </message>
    <message>
        <source>Claims of the access token</source>
        <translation>访问令牌的声明</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>等待您操作</translation>
    </message>
    <message>
        <source>another Sonde is signing in</source>
        <translation>另一个 Sonde 正在登录</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>sign-in expired</source>
        <translation>登录已过期</translation>
    </message>
    <message>
        <source>signed in</source>
        <translation>已登录</translation>
    </message>
    <message>
        <source>not signed in</source>
        <translation>未登录</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>重新登录</translation>
    </message>
    <message>
        <source>Scopes granted before are still valid.</source>
        <translation>先前授予的作用域仍然有效。</translation>
    </message>
    <message>
        <source>Kept for this session only: %1 %2</source>
        <translation>仅为本次会话保留：%1 %2</translation>
    </message>
    <message>
        <source>The sign-in continues in your browser, at this address. Nothing has been opened yet. Sonde cannot see what you enter there.</source>
        <translation>登录将在浏览器中的此地址继续。尚未打开任何内容。Sonde 无法看到您在那里输入的内容。</translation>
    </message>
    <message>
        <source>Open %1 in browser</source>
        <translation>在浏览器中打开 %1</translation>
    </message>
    <message>
        <source>This address was opened in your browser, where the sign-in continues. Sonde cannot see what you enter there.</source>
        <translation>已在浏览器中打开此地址，登录将在那里继续。Sonde 无法看到您在那里输入的内容。</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL and open it yourself.</source>
        <translation>无法启动浏览器。请复制 URL 并自行打开。</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未到达</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 个请求</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 个请求</translation>
    </message>
    <message>
        <source>DPoP, bound to a key on this computer</source>
        <translation>DPoP，绑定到此计算机上的密钥</translation>
    </message>
    <message>
        <source>Bearer</source>
        <translation>Bearer</translation>
    </message>
    <message>
        <source> · opaque, without readable claims</source>
        <translation> · 不透明，没有可读的声明</translation>
    </message>
    <message>
        <source>Signed in at</source>
        <translation>登录于</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>not specified</source>
        <translation>未指定</translation>
    </message>
    <message>
        <source>Valid until</source>
        <translation>有效期至</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Refresh token</source>
        <translation>刷新令牌</translation>
    </message>
    <message>
        <source>none; sign in again when the token has expired</source>
        <translation>无；令牌过期后请重新登录</translation>
    </message>
    <message>
        <source>yes, used automatically</source>
        <translation>有，自动使用</translation>
    </message>
    <message>
        <source>claims</source>
        <translation>声明</translation>
    </message>
    <message>
        <source>On another computer? Paste the redirected URL</source>
        <translation>在其他计算机上？粘贴重定向后的 URL</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StatisticsModel</name>
    <message>
        <source>Tool errors: %1, protocol errors: %2, no response: %3</source>
        <translation>工具错误：%1，协议错误：%2，无响应：%3</translation>
    </message>
    <message>
        <source>p%1 ms</source>
        <translation>p%1 ms</translation>
    </message>
    <message>
        <source>%1 of 100 calls with a response took no longer, in milliseconds, excluding time waiting for the user</source>
        <translation>每 100 个有响应的调用中，有 %1 个用时不超过此值（毫秒），不含等待用户的时间</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Tool, prompt or URI</source>
        <translation>工具、提示词或 URI</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Failed: ▲ tool error, ✕ protocol error, ⊘ no response</source>
        <translation>失败：▲ 工具错误，✕ 协议错误，⊘ 无响应</translation>
    </message>
    <message>
        <source>First byte</source>
        <translation>首字节</translation>
    </message>
    <message>
        <source>Median time to first byte, in milliseconds</source>
        <translation>到首字节的中位时间（毫秒）</translation>
    </message>
    <message>
        <source>Waiting for user</source>
        <translation>等待用户</translation>
    </message>
    <message>
        <source>Total time waiting for the user</source>
        <translation>等待用户的总时间</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StatisticsWindow</name>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Call statistics</source>
        <translation>调用统计</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 个调用</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 个调用</translation>
    </message>
    <message>
        <source> so far: %1 of %2 records read</source>
        <translation> 截至目前：已读取 %1 / %2 条记录</translation>
    </message>
    <message>
        <source> · times in milliseconds, excluding time waiting for the user</source>
        <translation> · 时间以毫秒为单位，不含等待用户的时间</translation>
    </message>
    <message>
        <source>No session</source>
        <translation>没有会话</translation>
    </message>
    <message>
        <source>Connect to a server, or open a recorded session.</source>
        <translation>连接到服务器，或打开录制的会话。</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>正在加载会话…</translation>
    </message>
    <message>
        <source>No calls in this session</source>
        <translation>此会话中没有调用</translation>
    </message>
    <message>
        <source>No requests were recorded.</source>
        <translation>没有录制请求。</translation>
    </message>
    <message>
        <source>No calls yet</source>
        <translation>还没有调用</translation>
    </message>
    <message>
        <source>Call a tool; its duration will appear here.</source>
        <translation>调用工具后，其持续时间会显示在此处。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StepRows</name>
    <message>
        <source>running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>not done</source>
        <translation>未执行</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>%1, attempt %2</source>
        <translation>%1，第 %2 次尝试</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SubscriptionRows</name>
    <message>
        <source>Reconnecting; waiting for the acknowledgement</source>
        <translation>正在重新连接；等待确认</translation>
    </message>
    <message>
        <source>Waiting for the acknowledgement</source>
        <translation>等待确认</translation>
    </message>
    <message>
        <source>Active; the last change failed: %1</source>
        <translation>有效；上次更改失败：%1</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>已拒绝：%1</translation>
    </message>
    <message>
        <source>Ended by the server</source>
        <translation>已由服务器结束</translation>
    </message>
    <message>
        <source>Lost: %1 %2</source>
        <translation>已丢失：%1 %2</translation>
    </message>
    <message>
        <source>Tool list changes</source>
        <translation>工具列表更改</translation>
    </message>
    <message>
        <source>Prompt list changes</source>
        <translation>提示词列表更改</translation>
    </message>
    <message>
        <source>Resource list changes</source>
        <translation>资源列表更改</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>任务 %1</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… 另有 %1 个</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>已请求</translation>
    </message>
    <message>
        <source>Acknowledged</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Not acknowledged</source>
        <translation>未确认</translation>
    </message>
    <message>
        <source>Subscribe again</source>
        <translation>重新订阅</translation>
    </message>
    <message>
        <source>Subscriptions</source>
        <translation>订阅</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SummaryText</name>
    <message>
        <source>1 tool error</source>
        <translation>1 个工具错误</translation>
    </message>
    <message>
        <source>%1 tool errors</source>
        <translation>%1 个工具错误</translation>
    </message>
    <message>
        <source>1 protocol error</source>
        <translation>1 个协议错误</translation>
    </message>
    <message>
        <source>%1 protocol errors</source>
        <translation>%1 个协议错误</translation>
    </message>
    <message>
        <source>1 call without a response</source>
        <translation>1 个无响应的调用</translation>
    </message>
    <message>
        <source>%1 calls without a response</source>
        <translation>%1 个无响应的调用</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TableEditor</name>
    <message>
        <source>Table of %1</source>
        <translation>%1 的表格</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 of 1 row</source>
        <translation>%1 / 1 行</translation>
    </message>
    <message>
        <source>%2 of %1 rows</source>
        <translation>%2 / %1 行</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>Pasting…</source>
        <translation>正在粘贴…</translation>
    </message>
    <message>
        <source>Not pasted, no such column: %1</source>
        <translation>未粘贴，没有此列：%1</translation>
    </message>
    <message>
        <source>Not pasted: cells to the right of the last column</source>
        <translation>未粘贴：最后一列右侧的单元格</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>已省略</translation>
    </message>
    <message>
        <source>Empty string</source>
        <translation>空字符串</translation>
    </message>
    <message>
        <source>Null</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认值：%1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy with header</source>
        <translation>连同表头复制</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Insert row above</source>
        <translation>在上方插入行</translation>
    </message>
    <message>
        <source>Remove row</source>
        <translation>移除行</translation>
    </message>
    <message>
        <source>Remove %1 rows</source>
        <translation>移除 %1 行</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TableModel</name>
    <message>
        <source>empty string</source>
        <translation>空字符串</translation>
    </message>
    <message>
        <source>Type or paste</source>
        <translation>输入或粘贴</translation>
    </message>
    <message>
        <source>omitted</source>
        <translation>已省略</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必填</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskChoice</name>
    <message>
        <source>Run as task</source>
        <translation>作为任务运行</translation>
    </message>
    <message>
        <source>Requested time to keep the task, in seconds</source>
        <translation>请求的任务保留时间（秒）</translation>
    </message>
    <message>
        <source>server decides</source>
        <translation>由服务器决定</translation>
    </message>
    <message>
        <source>The requested ttl: how long the server should keep the task and its result after the start. The server may choose a different time.</source>
        <translation>请求的 ttl：任务启动后，服务器应保留任务及其结果多长时间。服务器可以选择不同的时间。</translation>
    </message>
    <message>
        <source>Keep for</source>
        <translation>保留时间</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>This tool runs only as a task.</source>
        <translation>此工具只能作为任务运行。</translation>
    </message>
    <message>
        <source>Runs in the background on the server; the result can be read later, even after a restart of Sonde.</source>
        <translation>在服务器上后台运行；之后可以读取结果，即使 Sonde 重启之后也可以。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskFacts</name>
    <message>
        <source>Not connected. Polling resumes when the server is connected.</source>
        <translation>未连接。服务器连接后恢复轮询。</translation>
    </message>
    <message>
        <source>Next poll in %1 s.</source>
        <translation>%1 秒后下次轮询。</translation>
    </message>
    <message>
        <source>Waiting for your response.</source>
        <translation>正在等待您的响应。</translation>
    </message>
    <message>
        <source>Polling…</source>
        <translation>正在轮询…</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>已丢失</translation>
    </message>
    <message>
        <source>Lost: the server no longer knows this task.</source>
        <translation>已丢失：服务器已不认识此任务。</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>任务 %1</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>自 %1</translation>
    </message>
    <message>
        <source>updated %1</source>
        <translation>更新于 %1</translation>
    </message>
    <message>
        <source>kept until %1</source>
        <translation>保留至 %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskListModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1，%2，%3</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskListView</name>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TasksPanel</name>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>No tasks</source>
        <translation>没有任务</translation>
    </message>
    <message>
        <source>Calls that run as tasks appear here.</source>
        <translation>作为任务运行的调用会显示在此处。</translation>
    </message>
    <message>
        <source>Some tasks could not be read: %1</source>
        <translation>部分任务无法读取：%1</translation>
    </message>
    <message>
        <source>The server does not support tasks.</source>
        <translation>服务器不支持任务。</translation>
    </message>
    <message>
        <source>Tasks started by Sonde. The server does not list tasks.</source>
        <translation>由 Sonde 启动的任务。服务器不列出任务。</translation>
    </message>
    <message>
        <source>Click a task to see its result.</source>
        <translation>单击任务以查看其结果。</translation>
    </message>
    <message>
        <source>The task was cancelled. %1</source>
        <translation>任务已取消。%1</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>未连接到服务器。</translation>
    </message>
    <message>
        <source>Select a task to see its result.</source>
        <translation>选择任务以查看其结果。</translation>
    </message>
    <message>
        <source>No task selected</source>
        <translation>未选择任务</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextBlock</name>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>Text view</source>
        <translation>文本视图</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Formatted as JSON</source>
        <translation>格式化为 JSON</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>As a tree</source>
        <translation>以树显示</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>As a table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>Raw text</source>
        <translation>原始文本</translation>
    </message>
    <message>
        <source>Exactly as sent by the server</source>
        <translation>与服务器发送的完全一致</translation>
    </message>
    <message>
        <source>Render Markdown</source>
        <translation>渲染 Markdown</translation>
    </message>
    <message>
        <source>JSON as a tree</source>
        <translation>以树显示的 JSON</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextEditor</name>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>empty string</source>
        <translation>空字符串</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextLabel</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextView</name>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Wrap lines</source>
        <translation>自动换行</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimeEditor</name>
    <message>
        <source>Pick a time</source>
        <translation>选择时间</translation>
    </message>
    <message>
        <source>Pick a date and time</source>
        <translation>选择日期和时间</translation>
    </message>
    <message>
        <source>Pick a date</source>
        <translation>选择日期</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Without an offset in the text, this computer&apos;s is added: %1</source>
        <translation>文本中没有偏移量时，会添加此计算机的偏移量：%1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimePicker</name>
    <message>
        <source>Pick a date</source>
        <translation>选择日期</translation>
    </message>
    <message>
        <source>Pick a time</source>
        <translation>选择时间</translation>
    </message>
    <message>
        <source>Pick a date and time</source>
        <translation>选择日期和时间</translation>
    </message>
    <message>
        <source>The offset of this computer</source>
        <translation>此计算机的偏移量</translation>
    </message>
    <message>
        <source>The offset in the text</source>
        <translation>文本中的偏移量</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimeScale</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Timeline</name>
    <message>
        <source>byte %1: %2</source>
        <translation>字节 %1：%2</translation>
    </message>
    <message>
        <source> · after %1</source>
        <translation> · %1 后</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>没有录制响应。</translation>
    </message>
    <message>
        <source>response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>error response</source>
        <translation>错误响应</translation>
    </message>
    <message>
        <source>no matching request</source>
        <translation>没有匹配的请求</translation>
    </message>
    <message>
        <source>response to #%1</source>
        <translation>对 #%1 的响应</translation>
    </message>
    <message>
        <source>error response to #%1</source>
        <translation>对 #%1 的错误响应</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批量</translation>
    </message>
    <message>
        <source>invalid message</source>
        <translation>无效消息</translation>
    </message>
    <message>
        <source>late</source>
        <translation>迟到</translation>
    </message>
    <message>
        <source>stderr</source>
        <translation>stderr</translation>
    </message>
    <message>
        <source>not JSON-RPC</source>
        <translation>不是 JSON-RPC</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>SSE event</source>
        <translation>SSE 事件</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>end of session</source>
        <translation>会话结束</translation>
    </message>
    <message>
        <source>to the server</source>
        <translation>发往服务器</translation>
    </message>
    <message>
        <source>from the server</source>
        <translation>来自服务器</translation>
    </message>
    <message>
        <source>local</source>
        <translation>本地</translation>
    </message>
    <message>
        <source>connection opened</source>
        <translation>连接已打开</translation>
    </message>
    <message>
        <source>notification</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>incomplete bytes</source>
        <translation>不完整的字节</translation>
    </message>
    <message>
        <source>stderr line</source>
        <translation>stderr 行</translation>
    </message>
    <message>
        <source>HTTP request</source>
        <translation>HTTP 请求</translation>
    </message>
    <message>
        <source>HTTP response</source>
        <translation>HTTP 响应</translation>
    </message>
    <message>
        <source>SSE event without a message</source>
        <translation>不含消息的 SSE 事件</translation>
    </message>
    <message>
        <source>user action</source>
        <translation>用户操作</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>redaction</source>
        <translation>遮盖</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>since start</source>
        <translation>自开始</translation>
    </message>
    <message>
        <source>connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>%1 B on the wire</source>
        <translation>线路上 %1 B</translation>
    </message>
    <message>
        <source>, then CR LF</source>
        <translation>，之后为 CR LF</translation>
    </message>
    <message>
        <source>, then LF</source>
        <translation>，之后为 LF</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>持续时间</translation>
    </message>
    <message>
        <source>received after the request was cancelled or timed out</source>
        <translation>在请求被取消或超时之后收到</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineCount</name>
    <message>
        <source>1 call</source>
        <translation>1 个调用</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 个调用</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 calls shown</source>
        <translation>显示 %1 / %2 个调用</translation>
    </message>
    <message>
        <source>%1 of %2 records shown</source>
        <translation>显示 %1 / %2 条记录</translation>
    </message>
    <message>
        <source>Reading %1 %</source>
        <translation>正在读取 %1 %</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 个请求</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 个请求</translation>
    </message>
    <message>
        <source>%1 of %2 requests shown</source>
        <translation>显示 %1 / %2 个请求</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineModel</name>
    <message>
        <source>No session</source>
        <translation>没有会话</translation>
    </message>
    <message>
        <source>Connect to a server, or open a recorded session.</source>
        <translation>连接到服务器，或打开录制的会话。</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>正在加载会话…</translation>
    </message>
    <message>
        <source>%1 loaded.</source>
        <translation>已加载 %1。</translation>
    </message>
    <message>
        <source>Empty session</source>
        <translation>空会话</translation>
    </message>
    <message>
        <source>It contains no records.</source>
        <translation>它不包含任何记录。</translation>
    </message>
    <message>
        <source>No messages yet</source>
        <translation>还没有消息</translation>
    </message>
    <message>
        <source>Every message sent or received will appear here.</source>
        <translation>发送或接收的每条消息都会显示在此处。</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Nothing in this call matches</source>
        <translation>此调用中没有匹配的内容</translation>
    </message>
    <message>
        <source>Change the filter, or show all calls.</source>
        <translation>请更改筛选器，或显示所有调用。</translation>
    </message>
    <message>
        <source>No matching records</source>
        <translation>没有匹配的记录</translation>
    </message>
    <message>
        <source>No matches in this view</source>
        <translation>此视图中没有匹配项</translation>
    </message>
    <message>
        <source>Change the filter, or clear it.</source>
        <translation>请更改筛选器，或将其清除。</translation>
    </message>
    <message>
        <source>Change the filter, or choose All.</source>
        <translation>请更改筛选器，或选择“全部”。</translation>
    </message>
    <message>
        <source>Other records are listed under All.</source>
        <translation>其他记录列在“全部”下。</translation>
    </message>
    <message>
        <source>No stderr output</source>
        <translation>没有 stderr 输出</translation>
    </message>
    <message>
        <source>No messages</source>
        <translation>没有消息</translation>
    </message>
    <message>
        <source>No calls</source>
        <translation>没有调用</translation>
    </message>
    <message>
        <source>Call a tool, read a resource or get a prompt. %1</source>
        <translation>请调用工具、读取资源或获取提示词。%1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelinePanel</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Filter the timeline</source>
        <translation>筛选时间线</translation>
    </message>
    <message>
        <source>Ctrl+Space completes fields, values and JSON pointers</source>
        <translation>Ctrl+Space 可补全字段、值和 JSON 指针</translation>
    </message>
    <message>
        <source>Records to show</source>
        <translation>要显示的记录</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Calls: one row per call, its messages below it</source>
        <translation>调用：每个调用一行，其消息在下方</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>All messages</source>
        <translation>所有消息</translation>
    </message>
    <message>
        <source>stderr</source>
        <translation>stderr</translation>
    </message>
    <message>
        <source>Standard error of the server</source>
        <translation>服务器的标准错误</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All records</source>
        <translation>所有记录</translation>
    </message>
    <message>
        <source>Follow new records</source>
        <translation>跟随新记录</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Keep the newest row visible. Scrolling up stops following.</source>
        <translation>始终显示最新的行。向上滚动会停止跟随。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export to a file (%1)</source>
        <translation>导出到文件 (%1)</translation>
    </message>
    <message>
        <source>Timeline · %1</source>
        <translation>时间线 · %1</translation>
    </message>
    <message>
        <source>Filter: words or ms &gt; 500</source>
        <translation>筛选：词语或 ms &gt; 500</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineRows</name>
    <message>
        <source>open</source>
        <translation>待响应</translation>
    </message>
    <message>
        <source>? not tied to a call</source>
        <translation>? 未关联到调用</translation>
    </message>
    <message>
        <source>, collapsed</source>
        <translation>，已折叠</translation>
    </message>
    <message>
        <source>, expanded</source>
        <translation>，已展开</translation>
    </message>
    <message>
        <source>From start to end: pale until the first byte, violet while waiting for the user. Idle periods are shortened at the dotted lines.</source>
        <translation>从开始到结束：首字节之前为浅色，等待用户时为紫色。空闲时段在虚线处缩短。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果状态</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Waterfall</source>
        <translation>瀑布图</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineTable</name>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimeoutsDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>使用这些设置</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Timeouts of %1</source>
        <translation>%1 的超时</translation>
    </message>
    <message>
        <source>Preferences: %1</source>
        <translation>首选项：%1</translation>
    </message>
    <message>
        <source>seconds; 0 for no limit</source>
        <translation>秒；0 表示无限制</translation>
    </message>
    <message>
        <source>seconds, at least %1</source>
        <translation>秒，至少 %1</translation>
    </message>
    <message>
        <source>%1: enter a number of seconds from %2 to %3.</source>
        <translation>%1：请输入 %2 到 %3 之间的秒数。</translation>
    </message>
    <message>
        <source>Leave a field empty to use the preference. The connection timeout applies to the next start, the others to the next request.</source>
        <translation>字段留空则使用首选项中的值。连接超时从下次启动起生效，其他超时从下一个请求起生效。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UnionEditor</name>
    <message>
        <source>Type of %1</source>
        <translation>%1 的类型</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UnsentBanner</name>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Not sent: the server is not ready.</source>
        <translation>未发送：服务器未就绪。</translation>
    </message>
    <message>
        <source>Not sent: the server is not running.</source>
        <translation>未发送：服务器未在运行。</translation>
    </message>
    <message>
        <source>Not sent: there is no connection to the server.</source>
        <translation>未发送：没有到服务器的连接。</translation>
    </message>
    <message>
        <source>The server is not running.</source>
        <translation>服务器未在运行。</translation>
    </message>
    <message>
        <source>There is no connection to the server.</source>
        <translation>没有到服务器的连接。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UrlBody</name>
    <message>
        <source>Nothing has been opened or fetched yet. The page opens in your browser; Sonde cannot see what you enter there.</source>
        <translation>尚未打开或获取任何内容。页面会在浏览器中打开；Sonde 无法看到您在那里输入的内容。</translation>
    </message>
    <message>
        <source>The server is told only that you accepted.</source>
        <translation>只会告知服务器您已接受。</translation>
    </message>
    <message>
        <source>The call ended with an error that requires this page; Sonde sends nothing to the server until you try the call again.</source>
        <translation>调用以错误结束，该错误要求访问此页面；在您再次尝试调用之前，Sonde 不会向服务器发送任何内容。</translation>
    </message>
    <message>
        <source>elicitation · URL</source>
        <translation>elicitation · URL</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Accept and open</source>
        <translation>接受并打开</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL, open it yourself, then accept.</source>
        <translation>无法启动浏览器。请复制 URL 并自行打开，然后接受。</translation>
    </message>
    <message>
        <source>The page was opened in your browser; Sonde cannot see what you enter there.</source>
        <translation>页面已在浏览器中打开；Sonde 无法看到您在那里输入的内容。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UseInDialog</name>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>As a &amp;reference to the saved call</source>
        <translation>作为对已保存调用的引用(&amp;R)</translation>
    </message>
    <message>
        <source>Use in</source>
        <translation>用于</translation>
    </message>
    <message>
        <source>&amp;Tool</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>Filter by name or type</source>
        <translation>按名称或类型筛选</translation>
    </message>
    <message>
        <source>&amp;Field</source>
        <translation>字段(&amp;F)</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>This tool takes no arguments.</source>
        <translation>此工具没有参数。</translation>
    </message>
    <message>
        <source>No field matches.</source>
        <translation>没有匹配的字段。</translation>
    </message>
    <message>
        <source>%1
replaces %2</source>
        <translation>%1
替换 %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::VersionDifference</name>
    <message>
        <source>Binary data; SHA-256 of its Base64 text: %1</source>
        <translation>二进制数据；其 Base64 文本的 SHA-256：%1</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Difference between two versions</source>
        <translation>两个版本之间的差异</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>No differences.</source>
        <translation>没有差异。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>1 line added</source>
        <translation>添加了 1 行</translation>
    </message>
    <message>
        <source>%1 lines added</source>
        <translation>添加了 %1 行</translation>
    </message>
    <message>
        <source>1 removed</source>
        <translation>移除了 1 行</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>移除了 %1 行</translation>
    </message>
</context>
<context>
    <name>sonde::ui::WalkView</name>
    <message>
        <source>Open add</source>
        <translation>打开 add</translation>
    </message>
    <message>
        <source>Open fail</source>
        <translation>打开 fail</translation>
    </message>
    <message>
        <source>Open ask-form</source>
        <translation>打开 ask-form</translation>
    </message>
    <message>
        <source>Go to timeline</source>
        <translation>转到时间线</translation>
    </message>
    <message>
        <source>Go to filter</source>
        <translation>转到筛选器</translation>
    </message>
    <message>
        <source>Open greeting</source>
        <translation>打开 greeting</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>回放…</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>all %1 steps done</source>
        <translation>全部 %1 步已完成</translation>
    </message>
    <message>
        <source>%1 of %2 steps done</source>
        <translation>%1 / %2 步已完成</translation>
    </message>
    <message>
        <source>Guided tour</source>
        <translation>引导教程</translation>
    </message>
</context>
<context>
    <name>sonde::ui::WaveformView</name>
    <message>
        <source>Waveform</source>
        <translation>波形</translation>
    </message>
</context>
<context>
    <name>sonde::ui::WelcomePanel</name>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>昨天 %1</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Explore an MCP server</source>
        <translation>浏览 MCP 服务器</translation>
    </message>
    <message>
        <source>Paste the command you would run in a terminal, or the URL of a remote server.</source>
        <translation>粘贴您会在终端中运行的命令，或远程服务器的 URL。</translation>
    </message>
    <message>
        <source>Command or URL</source>
        <translation>命令或 URL</translation>
    </message>
    <message>
        <source>Your servers</source>
        <translation>您的服务器</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>在此计算机上找到</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation>最近的会话</translation>
    </message>
    <message>
        <source>All sessions…</source>
        <translation>所有会话…</translation>
    </message>
    <message>
        <source>Three things to try</source>
        <translation>可以尝试的三件事</translation>
    </message>
    <message>
        <source>With the built-in demo server, which changes nothing.</source>
        <translation>使用内置的演示服务器，不会更改任何内容。</translation>
    </message>
    <message>
        <source>Eight steps, from the first call to a replay</source>
        <translation>八个步骤，从首次调用到回放</translation>
    </message>
    <message>
        <source>Call a tool</source>
        <translation>调用工具</translation>
    </message>
    <message>
        <source>Opens the first tool of the demo server</source>
        <translation>打开演示服务器的第一个工具</translation>
    </message>
    <message>
        <source>Respond to a server request</source>
        <translation>响应服务器请求</translation>
    </message>
    <message>
        <source>Opens a tool that asks you for something in the middle of its call</source>
        <translation>打开一个会在调用过程中向您询问内容的工具</translation>
    </message>
    <message>
        <source>replayed %1 · %2</source>
        <translation>回放于 %1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>All traffic between Sonde and a server is recorded here, from the first byte.</source>
        <translation>Sonde 与服务器之间的所有通信都在此处录制，从第一个字节开始。</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 个服务器</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 个服务器</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 项</translation>
    </message>
    <message>
        <source>No servers from other MCP clients found. Import them from a file or the clipboard.</source>
        <translation>未找到其他 MCP 客户端的服务器。请从文件或剪贴板导入。</translation>
    </message>
    <message>
        <source>Take the guided tour</source>
        <translation>开始引导教程</translation>
    </message>
</context>
</TS>
