<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
<context>
    <name>sonde::AbstractHttpTransport</name>
    <message>
        <source>Cancelled while waiting for the handshake.</source>
        <translation>ハンドシェイクの待機中にキャンセルされました。</translation>
    </message>
    <message>
        <source>Cancelled while waiting for credentials.</source>
        <translation>認証情報の待機中にキャンセルされました。</translation>
    </message>
    <message>
        <source>The connection was closed before the message could be sent.</source>
        <translation>メッセージを送信する前に接続が閉じられました。</translation>
    </message>
    <message>
        <source>The connection was closed while waiting for credentials.</source>
        <translation>認証情報の待機中に接続が閉じられました。</translation>
    </message>
</context>
<context>
    <name>sonde::AddressExamination</name>
    <message>
        <source>certificate of %1, issued by %2, valid from %3 to %4</source>
        <translation>%1の証明書、発行者%2、有効期間%3～%4</translation>
    </message>
    <message>
        <source>not used: http</source>
        <translation>不使用: http</translation>
    </message>
    <message>
        <source>asking the system for its proxy…</source>
        <translation>システムにプロキシを問い合わせています…</translation>
    </message>
    <message>
        <source>resolved by the proxy %1</source>
        <translation>プロキシ%1が解決</translation>
    </message>
    <message>
        <source>an address, not a name</source>
        <translation>名前ではなくアドレス</translation>
    </message>
    <message>
        <source>looking up %1…</source>
        <translation>%1を検索しています…</translation>
    </message>
    <message>
        <source>%1 is not known: %2</source>
        <translation>%1は不明です: %2</translation>
    </message>
    <message>
        <source>connecting to port %1…</source>
        <translation>ポート%1に接続しています…</translation>
    </message>
    <message>
        <source>connecting through the proxy %1…</source>
        <translation>プロキシ%1経由で接続しています…</translation>
    </message>
    <message>
        <source>port %1 accepts connections</source>
        <translation>ポート%1は接続を受け付けます</translation>
    </message>
    <message>
        <source>the proxy %1 accepts connections</source>
        <translation>プロキシ%1は接続を受け付けます</translation>
    </message>
    <message>
        <source>connected through the proxy %1</source>
        <translation>プロキシ%1経由で接続済み</translation>
    </message>
    <message>
        <source>waiting for the certificate…</source>
        <translation>証明書を待っています…</translation>
    </message>
    <message>
        <source>%1, accepted by its fingerprint</source>
        <translation>%1、フィンガープリントにより受け入れ</translation>
    </message>
    <message>
        <source>timed out after %1 s</source>
        <translation>%1 秒でタイムアウト</translation>
    </message>
    <message>
        <source>the server does not speak TLS on this port</source>
        <translation>サーバーはこのポートでTLSを使用していません</translation>
    </message>
    <message>
        <source>the server does not complete a TLS handshake: %1</source>
        <translation>サーバーがTLSハンドシェイクを完了しません: %1</translation>
    </message>
    <message>
        <source>If it is meant to be reached without encryption, begin the URL with http://.</source>
        <translation>暗号化なしで接続するサーバーの場合は、URLをhttp://で始めてください。</translation>
    </message>
    <message>
        <source>the server expects TLS on this port</source>
        <translation>サーバーはこのポートでTLSを必要とします</translation>
    </message>
    <message>
        <source>Begin the URL with https://.</source>
        <translation>URLをhttps://で始めてください。</translation>
    </message>
    <message>
        <source>the server refuses the Authorization header of this server</source>
        <translation>サーバーがこのサーバーのAuthorizationヘッダーを拒否しています</translation>
    </message>
    <message>
        <source>the server refuses access</source>
        <translation>サーバーがアクセスを拒否しています</translation>
    </message>
    <message>
        <source>the server requires authentication</source>
        <translation>サーバーは認証を要求しています</translation>
    </message>
    <message>
        <source>It may require authentication, or accept requests only under certain host names.</source>
        <translation>認証が必要か、特定のホスト名でのリクエストのみを受け付けている可能性があります。</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>受け入れ</translation>
    </message>
    <message>
        <source>not required</source>
        <translation>不要</translation>
    </message>
    <message>
        <source>the response is a web page, not an MCP message</source>
        <translation>レスポンスがMCPメッセージではなくWebページです</translation>
    </message>
    <message>
        <source>Check the path of the URL; many servers use /mcp.</source>
        <translation>URLのパスを確認してください。多くのサーバーは/mcpを使用します。</translation>
    </message>
</context>
<context>
    <name>sonde::Authorization</name>
    <message>
        <source>The protected resource metadata is not a JSON object.</source>
        <translation>保護リソースメタデータがJSONオブジェクトではありません。</translation>
    </message>
    <message>
        <source>The protected resource metadata at %1 is for %2, not for %3.</source>
        <translation>%1の保護リソースメタデータは%2のもので、%3のものではありません。</translation>
    </message>
    <message>
        <source>The protected resource metadata names no authorization server.</source>
        <translation>保護リソースメタデータに認可サーバーの名前がありません。</translation>
    </message>
    <message>
        <source>The authorization server metadata is not a JSON object.</source>
        <translation>認可サーバーメタデータがJSONオブジェクトではありません。</translation>
    </message>
    <message>
        <source>The authorization server identifies itself as %1, not as %2.</source>
        <translation>認可サーバーは%2ではなく%1と名乗っています。</translation>
    </message>
    <message>
        <source>The authorization server&apos;s %1 is neither https nor on this computer: %2</source>
        <translation>認可サーバーの%1がhttpsでもこのコンピューター上でもありません: %2</translation>
    </message>
    <message>
        <source>The authorization server has no token endpoint.</source>
        <translation>認可サーバーにトークンエンドポイントがありません。</translation>
    </message>
    <message>
        <source>Check that the server is running.</source>
        <translation>サーバーが実行中であることを確認してください。</translation>
    </message>
    <message>
        <source>Check that the identity provider is running.</source>
        <translation>IDプロバイダーが実行中であることを確認してください。</translation>
    </message>
    <message>
        <source>Check that the authorization server is running.</source>
        <translation>認可サーバーが実行中であることを確認してください。</translation>
    </message>
    <message>
        <source>Its operator has to serve the document at the first address itself.</source>
        <translation>運営者が最初のアドレスでドキュメントを直接配信する必要があります。</translation>
    </message>
    <message>
        <source>Its operator has to publish the right address in the metadata.</source>
        <translation>運営者がメタデータに正しいアドレスを公開する必要があります。</translation>
    </message>
    <message>
        <source>The server&apos;s metadata endpoint (%1)</source>
        <translation>サーバーのメタデータエンドポイント (%1)</translation>
    </message>
    <message>
        <source>The authorization server&apos;s metadata endpoint (%1)</source>
        <translation>認可サーバーのメタデータエンドポイント (%1)</translation>
    </message>
    <message>
        <source>The authorization server&apos;s registration endpoint (%1)</source>
        <translation>認可サーバーの登録エンドポイント (%1)</translation>
    </message>
    <message>
        <source>The authorization server&apos;s token endpoint (%1)</source>
        <translation>認可サーバーのトークンエンドポイント (%1)</translation>
    </message>
    <message>
        <source>The identity provider&apos;s token endpoint (%1)</source>
        <translation>IDプロバイダーのトークンエンドポイント (%1)</translation>
    </message>
    <message>
        <source>The authorization server&apos;s revocation endpoint (%1)</source>
        <translation>認可サーバーの失効エンドポイント (%1)</translation>
    </message>
    <message>
        <source>%1 redirects (HTTP %2) to %3, which Sonde does not follow in a sign-in.</source>
        <translation>%1は%3へリダイレクトします (HTTP %2)。Sondeはサインイン中のリダイレクトに従いません。</translation>
    </message>
    <message>
        <source>%1 did not respond within %2 s.</source>
        <translation>%1は%2 秒以内に応答しませんでした。</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>後でもう一度試してください。</translation>
    </message>
    <message>
        <source>%1 refused the connection: nothing is listening there.</source>
        <translation>%1は接続を拒否しました。そこでは何も待ち受けていません。</translation>
    </message>
    <message>
        <source>%1 could not be used. %2</source>
        <translation>%1を使用できませんでした。%2</translation>
    </message>
    <message>
        <source>%1 refused the request: %2</source>
        <translation>%1はリクエストを拒否しました: %2</translation>
    </message>
    <message>
        <source>%1 returned HTTP %2.</source>
        <translation>%1はHTTP %2を返しました。</translation>
    </message>
    <message>
        <source>%1 returned no %2.</source>
        <translation>%1は%2を返しませんでした。</translation>
    </message>
    <message>
        <source>%1 returned a body that is not a JSON object.</source>
        <translation>%1はJSONオブジェクトではない本文を返しました。</translation>
    </message>
    <message>
        <source>%1 returned %2 instead of JSON.</source>
        <translation>%1はJSONではなく%2を返しました。</translation>
    </message>
    <message>
        <source>This is a web page: possibly a login page, or the wrong address.</source>
        <translation>これはWebページです。ログインページか、アドレスの誤りの可能性があります。</translation>
    </message>
    <message>
        <source>OAuth requires JSON there (RFC 6749, section 5.1).</source>
        <translation>OAuthはここでJSONを要求します (RFC 6749、5.1節)。</translation>
    </message>
    <message>
        <source>The redirect URL must be an http URL of this computer with a port, such as http://127.0.0.1:8080/callback.</source>
        <translation>リダイレクトURLは、http://127.0.0.1:8080/callbackのように、ポートを含むこのコンピューターのhttp URLである必要があります。</translation>
    </message>
    <message>
        <source>The client metadata URL must be https and have a path.</source>
        <translation>クライアントメタデータのURLはhttpsで、パスを含む必要があります。</translation>
    </message>
    <message>
        <source>The issuer must be an https URL.</source>
        <translation>発行者はhttpsのURLである必要があります。</translation>
    </message>
    <message>
        <source>Enter the client ID that the client secret belongs to.</source>
        <translation>クライアントシークレットに対応するクライアントIDを入力してください。</translation>
    </message>
    <message>
        <source>Enter the client ID.</source>
        <translation>クライアントIDを入力してください。</translation>
    </message>
    <message>
        <source>Enter a client secret or a private key.</source>
        <translation>クライアントシークレットまたは秘密鍵を入力してください。</translation>
    </message>
    <message>
        <source>Enter the issuer. The credentials are sent nowhere else.</source>
        <translation>発行者を入力してください。認証情報はほかのどこにも送信されません。</translation>
    </message>
    <message>
        <source>Enter the token URL of the identity provider, which must be https.</source>
        <translation>IDプロバイダーのトークンURLを入力してください。httpsである必要があります。</translation>
    </message>
    <message>
        <source>Enter the ID token.</source>
        <translation>IDトークンを入力してください。</translation>
    </message>
    <message>
        <source>Enter the token of the workload.</source>
        <translation>ワークロードのトークンを入力してください。</translation>
    </message>
    <message>
        <source>Enter the issuer. The token is sent nowhere else.</source>
        <translation>発行者を入力してください。トークンはほかのどこにも送信されません。</translation>
    </message>
    <message>
        <source>The private key is not PEM.</source>
        <translation>秘密鍵がPEMではありません。</translation>
    </message>
    <message>
        <source>It must begin with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----, without a passphrase.</source>
        <translation>パスフレーズなしで、-----BEGIN PRIVATE KEY-----で始まり-----END PRIVATE KEY-----で終わる必要があります。</translation>
    </message>
    <message>
        <source>Enter the private key that belongs to it.</source>
        <translation>これに対応する秘密鍵を入力してください。</translation>
    </message>
    <message>
        <source>This is a public key.</source>
        <translation>これは公開鍵です。</translation>
    </message>
    <message>
        <source>This is a certificate.</source>
        <translation>これは証明書です。</translation>
    </message>
    <message>
        <source>The private key has a passphrase.</source>
        <translation>秘密鍵にパスフレーズがあります。</translation>
    </message>
    <message>
        <source>Enter it without one, as “openssl pkey -in KEY” prints it.</source>
        <translation>「openssl pkey -in KEY」が出力する、パスフレーズなしのものを入力してください。</translation>
    </message>
    <message>
        <source>The private key cannot be read.</source>
        <translation>秘密鍵を読み取れません。</translation>
    </message>
    <message>
        <source>It must be PEM, without a passphrase.</source>
        <translation>パスフレーズなしのPEMである必要があります。</translation>
    </message>
    <message>
        <source>No key could be generated.</source>
        <translation>鍵を生成できませんでした。</translation>
    </message>
    <message>
        <source>The private key cannot be used with %1.</source>
        <translation>この秘密鍵は%1では使用できません。</translation>
    </message>
    <message>
        <source>ES256 needs an EC key on P-256, RS256 an RSA key.</source>
        <translation>ES256にはP-256のEC鍵、RS256にはRSA鍵が必要です。</translation>
    </message>
    <message>
        <source>The token could not be signed.</source>
        <translation>トークンに署名できませんでした。</translation>
    </message>
</context>
<context>
    <name>sonde::AuthorizedRequest</name>
    <message>
        <source>There were no credentials in time.</source>
        <translation>時間内に認証情報が得られませんでした。</translation>
    </message>
</context>
<context>
    <name>sonde::Baseline</name>
    <message>
        <source>%1 is still being recorded.</source>
        <translation>%1はまだ記録中です。</translation>
    </message>
    <message>
        <source>Disconnect that server first.</source>
        <translation>先にそのサーバーを切断してください。</translation>
    </message>
    <message>
        <source>The previous session cannot be renamed to %1: %2</source>
        <translation>以前のセッションの名前を%1に変更できません: %2</translation>
    </message>
    <message>
        <source>%1 cannot be replaced: %2</source>
        <translation>%1を置き換えられません: %2</translation>
    </message>
</context>
<context>
    <name>sonde::BriefRun</name>
    <message>
        <source>“%1” took longer than %2 s.</source>
        <translation>「%1」に%2 秒より長くかかりました。</translation>
    </message>
    <message>
        <source>“%1” was terminated by %2.</source>
        <translation>「%1」は%2により終了しました。</translation>
    </message>
</context>
<context>
    <name>sonde::CallSender</name>
    <message>
        <source>There is no keychain to read %1 from.</source>
        <translation>%1を読み取るキーチェーンがありません。</translation>
    </message>
    <message>
        <source>The environment variable %1 is not set.</source>
        <translation>環境変数%1が設定されていません。</translation>
    </message>
    <message>
        <source>%1 needs the result of the saved call &apos;%2&apos;, which was not run before this one.</source>
        <translation>%1には保存済みの呼び出し&apos;%2&apos;の結果が必要ですが、先に実行されていません。</translation>
    </message>
    <message>
        <source>Run both together, &apos;%1&apos; first.</source>
        <translation>両方を、&apos;%1&apos;を先にして一緒に実行してください。</translation>
    </message>
    <message>
        <source>%1 has no value: the saved call &apos;%2&apos; returned no result.</source>
        <translation>%1に値がありません: 保存済みの呼び出し&apos;%2&apos;が結果を返しませんでした。</translation>
    </message>
    <message>
        <source>%1 has no value: the result of the saved call &apos;%2&apos; has no %3.</source>
        <translation>%1に値がありません: 保存済みの呼び出し&apos;%2&apos;の結果に%3がありません。</translation>
    </message>
    <message>
        <source>The members of the result are %1.</source>
        <translation>結果のメンバーは%1です。</translation>
    </message>
</context>
<context>
    <name>sonde::CallSuite</name>
    <message>
        <source>Cancelled by you</source>
        <translation>あなたがキャンセルしました</translation>
    </message>
    <message>
        <source>Not run: %1</source>
        <translation>実行されませんでした: %1</translation>
    </message>
</context>
<context>
    <name>sonde::CallbackReceiver</name>
    <message>
        <source>The redirect address %1 is not on this computer.</source>
        <translation>リダイレクト先のアドレス%1はこのコンピューター上にありません。</translation>
    </message>
    <message>
        <source>Use http://127.0.0.1 or http://localhost with a port.</source>
        <translation>http://127.0.0.1またはhttp://localhostにポートを付けて使用してください。</translation>
    </message>
    <message>
        <source>Port %1 of this computer cannot receive the browser&apos;s redirect: %2.</source>
        <translation>このコンピューターのポート%1ではブラウザーのリダイレクトを受信できません: %2。</translation>
    </message>
    <message>
        <source>Choose another port, or quit the program that uses it.</source>
        <translation>別のポートを選択するか、それを使用しているプログラムを終了してください。</translation>
    </message>
    <message>
        <source>The request is too long.</source>
        <translation>リクエストが長すぎます。</translation>
    </message>
    <message>
        <source>The sign-in has ended.</source>
        <translation>サインインは終了しています。</translation>
    </message>
    <message>
        <source>Nothing here.</source>
        <translation>ここには何もありません。</translation>
    </message>
    <message>
        <source>This response belongs to another sign-in.</source>
        <translation>このレスポンスは別のサインインのものです。</translation>
    </message>
    <message>
        <source>Sonde has received the response. You can close this page.</source>
        <translation>Sondeがレスポンスを受信しました。このページは閉じてかまいません。</translation>
    </message>
</context>
<context>
    <name>sonde::Catalog</name>
    <message>
        <source>The %1 &apos;%2&apos; occurs more than once.</source>
        <translation>%1 &apos;%2&apos;が複数あります。</translation>
    </message>
    <message>
        <source>More duplicate names, not listed: %1</source>
        <translation>一覧に示していないその他の重複した名前: %1</translation>
    </message>
    <message>
        <source>Not enough memory for this list.</source>
        <translation>この一覧にはメモリが足りません。</translation>
    </message>
    <message>
        <source>The server declares &apos;%1&apos; but does not implement %2 (-32601).</source>
        <translation>サーバーは&apos;%1&apos;を宣言していますが、%2を実装していません (-32601)。</translation>
    </message>
    <message>
        <source>The list ended early (pages loaded: %1).</source>
        <translation>一覧が途中で終了しました (読み込んだページ数: %1)。</translation>
    </message>
    <message>
        <source>Retrying in %1 s.</source>
        <translation>%1 秒後に再試行します。</translation>
    </message>
</context>
<context>
    <name>sonde::ChangeWords</name>
    <message>
        <source>only after: %1</source>
        <translation>後のみ: %1</translation>
    </message>
    <message>
        <source>%1 added: %2</source>
        <translation>%1を追加: %2</translation>
    </message>
    <message>
        <source>only before: %1</source>
        <translation>前のみ: %1</translation>
    </message>
    <message>
        <source>%1 removed, was %2</source>
        <translation>%1を削除、以前は%2</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1を変更</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, same value</source>
        <translation>%1、値は同じ</translation>
    </message>
    <message>
        <source>order changed</source>
        <translation>順序を変更</translation>
    </message>
    <message>
        <source>parameter %1 added</source>
        <translation>パラメーター%1を追加</translation>
    </message>
    <message>
        <source>field %1 added</source>
        <translation>フィールド%1を追加</translation>
    </message>
    <message>
        <source>parameter %1 removed</source>
        <translation>パラメーター%1を削除</translation>
    </message>
    <message>
        <source>field %1 removed</source>
        <translation>フィールド%1を削除</translation>
    </message>
    <message>
        <source>no longer required: %1</source>
        <translation>必須ではなくなった: %1</translation>
    </message>
    <message>
        <source>now required: %1</source>
        <translation>必須になった: %1</translation>
    </message>
    <message>
        <source>values removed: %1</source>
        <translation>削除された値: %1</translation>
    </message>
    <message>
        <source>values added: %1</source>
        <translation>追加された値: %1</translation>
    </message>
    <message>
        <source>all capabilities</source>
        <translation>すべてのケイパビリティ</translation>
    </message>
    <message>
        <source>Protocol revision</source>
        <translation>プロトコルリビジョン</translation>
    </message>
    <message>
        <source>Server name and version</source>
        <translation>サーバーの名前とバージョン</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指示</translation>
    </message>
    <message>
        <source>Variable %1</source>
        <translation>変数%1</translation>
    </message>
    <message>
        <source>Header %1</source>
        <translation>ヘッダー%1</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>トランスポート</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>プログラム</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>作業ディレクトリ</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>Inherited variables</source>
        <translation>継承した変数</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>アドレス</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>ヘッダー</translation>
    </message>
    <message>
        <source>Client name and version</source>
        <translation>クライアントの名前とバージョン</translation>
    </message>
    <message>
        <source>Client capabilities</source>
        <translation>クライアントのケイパビリティ</translation>
    </message>
    <message>
        <source>Requested revision</source>
        <translation>要求したリビジョン</translation>
    </message>
    <message>
        <source>added</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>result: %1</source>
        <translation>結果: %1</translation>
    </message>
    <message>
        <source>argument “%1” added</source>
        <translation>引数「%1」を追加</translation>
    </message>
    <message>
        <source>argument “%1” removed</source>
        <translation>引数「%1」を削除</translation>
    </message>
    <message>
        <source>different secret value</source>
        <translation>シークレットの値が異なる</translation>
    </message>
    <message>
        <source>argument %1</source>
        <translation>引数%1</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>相違</translation>
    </message>
    <message>
        <source>wording only</source>
        <translation>文言のみ</translation>
    </message>
    <message>
        <source>harmless</source>
        <translation>無害</translation>
    </message>
    <message>
        <source>unclear</source>
        <translation>不明確</translation>
    </message>
    <message>
        <source>breaking</source>
        <translation>非互換</translation>
    </message>
</context>
<context>
    <name>sonde::Client</name>
    <message>
        <source>Batches are not allowed in revision %1; shown but not processed.</source>
        <translation>リビジョン%1ではバッチは許可されていません。表示しますが処理しません。</translation>
    </message>
    <message>
        <source>Empty batch.</source>
        <translation>空のバッチです。</translation>
    </message>
    <message>
        <source>Max %1 responses to one batch; this request has none.</source>
        <translation>1つのバッチへのレスポンスは最大%1 件です。このリクエストにはレスポンスがありません。</translation>
    </message>
    <message>
        <source>An item of a batch is not a JSON-RPC message: %1</source>
        <translation>バッチの要素がJSON-RPCメッセージではありません: %1</translation>
    </message>
    <message>
        <source>it is a batch itself.</source>
        <translation>それ自体がバッチです。</translation>
    </message>
    <message>
        <source>The parameters of a request must be a JSON object.</source>
        <translation>リクエストのparamsはJSONオブジェクトである必要があります。</translation>
    </message>
    <message>
        <source>Sent as is. Another request with this ID is open; the response will be matched to that one.</source>
        <translation>そのまま送信しました。同じIDの未完了のリクエストが別にあるため、レスポンスはそちらに対応付けられます。</translation>
    </message>
    <message>
        <source>Sent as is. No response is expected: it is not a request with an ID.</source>
        <translation>そのまま送信しました。IDを持つリクエストではないため、レスポンスは期待されません。</translation>
    </message>
    <message>
        <source>The server responded to it without waiting for you.</source>
        <translation>サーバーはあなたを待たずにこれに応答しました。</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>キャンセルされました。</translation>
    </message>
    <message>
        <source>It timed out.</source>
        <translation>タイムアウトしました。</translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation>失敗しました。</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>サーバーに接続されていません。</translation>
    </message>
    <message>
        <source>%1 (Findings of this kind so far: %2; further ones are mostly only counted.)</source>
        <translation>%1 (この種の検出事項: これまでに%2 件。以降はほとんどが件数のみ数えられます。)</translation>
    </message>
    <message>
        <source>Not a JSON-RPC message: %1</source>
        <translation>JSON-RPCメッセージではありません: %1</translation>
    </message>
    <message>
        <source>The server could not read a request: its error response has no ID.</source>
        <translation>サーバーはリクエストを読み取れませんでした。エラーレスポンスにIDがありません。</translation>
    </message>
    <message>
        <source>Unmatched response: the ID %1 is neither an integer nor a string.</source>
        <translation>対応付けられないレスポンス: ID %1が整数でも文字列でもありません。</translation>
    </message>
    <message>
        <source>Duplicate response to request %1 (%2); the first one counts.</source>
        <translation>リクエスト%1 (%2) へのレスポンスが重複しています。最初のものが有効です。</translation>
    </message>
    <message>
        <source>The server asked for input more than %1 times in one call.</source>
        <translation>サーバーが1回の呼び出しで%1 回を超えて入力を求めました。</translation>
    </message>
    <message>
        <source>Not enough memory to check the result against the tool&apos;s outputSchema.</source>
        <translation>結果をツールのoutputSchemaと照合するにはメモリが足りません。</translation>
    </message>
    <message>
        <source>The server echoed request %1 from Sonde; no response was sent.</source>
        <translation>サーバーがSondeのリクエスト%1をそのまま返しました。レスポンスは送信されませんでした。</translation>
    </message>
    <message>
        <source>The server echoed request %1 instead of responding to it.</source>
        <translation>サーバーがリクエスト%1に応答せず、そのまま返しました。</translation>
    </message>
    <message>
        <source>The program echoes its input, as cat or a terminal does. It is not an MCP server, or was not started as one.</source>
        <translation>このプログラムは、catやターミナルのように入力をそのまま返します。MCPサーバーではないか、MCPサーバーとして起動されていません。</translation>
    </message>
    <message>
        <source>Progress with an unknown token: %1</source>
        <translation>不明なトークンの進捗: %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>&apos;progress&apos; is not a number.</source>
        <translation>&apos;progress&apos;が数値ではありません。</translation>
    </message>
    <message>
        <source>The progress does not increase: %1 after %2.</source>
        <translation>進捗が増加していません: %2の後に%1。</translation>
    </message>
    <message>
        <source>The progress is beyond its total: %1 of %2.</source>
        <translation>進捗が合計を超えています: %2中%1。</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>接続が閉じられました。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>キャンセルされました。</translation>
    </message>
    <message>
        <source>The cancellation could not be sent to the server: %1</source>
        <translation>キャンセルをサーバーに送信できませんでした: %1</translation>
    </message>
    <message>
        <source>Timed out after %1 s (max time per request).</source>
        <translation>%1 秒でタイムアウトしました (リクエストごとの最大時間)。</translation>
    </message>
    <message>
        <source>Timed out: no response or progress for %1 s.</source>
        <translation>タイムアウトしました: %1 秒間レスポンスも進捗もありません。</translation>
    </message>
    <message>
        <source>The server started a task, although the client did not declare tasks.</source>
        <translation>クライアントがtasksを宣言していないのに、サーバーがタスクを開始しました。</translation>
    </message>
    <message>
        <source>The server refused tasks/result while the task requires input: %1</source>
        <translation>タスクが入力を必要としているときに、サーバーがtasks/resultを拒否しました: %1</translation>
    </message>
    <message>
        <source>The server turned a call into a task without being asked to.</source>
        <translation>サーバーが、求められていないのに呼び出しをタスクにしました。</translation>
    </message>
    <message>
        <source>The server described the task %1 instead of the task %2.</source>
        <translation>サーバーがタスク%2ではなくタスク%1を返しました。</translation>
    </message>
    <message>
        <source>The server does not support tasks.</source>
        <translation>サーバーはタスクに対応していません。</translation>
    </message>
    <message>
        <source>The status of the task was %1, which is final; now it is %2.</source>
        <translation>タスクの状態は最終状態の%1でしたが、現在は%2です。</translation>
    </message>
    <message>
        <source>The server does not support tasks any more.</source>
        <translation>サーバーはもうタスクに対応していません。</translation>
    </message>
    <message>
        <source>The server does not declare tasks/cancel; it goes on with the task.</source>
        <translation>サーバーはtasks/cancelを宣言していないため、タスクを続行します。</translation>
    </message>
    <message>
        <source>The server did not cancel the task: %1</source>
        <translation>サーバーはタスクをキャンセルしませんでした: %1</translation>
    </message>
    <message>
        <source>The server did not accept the response to %1: %2</source>
        <translation>サーバーは%1へのレスポンスを受け入れませんでした: %2</translation>
    </message>
    <message>
        <source>No common protocol revision: the server supports %1, Sonde supports %2.</source>
        <translation>共通のプロトコルリビジョンがありません。サーバーは%1に、Sondeは%2に対応しています。</translation>
    </message>
    <message>
        <source>The server refuses revision %1, although it lists it as supported.</source>
        <translation>サーバーはリビジョン%1を対応として挙げているのに拒否しました。</translation>
    </message>
    <message>
        <source>The server refused the revision and named no other.</source>
        <translation>サーバーはリビジョンを拒否し、ほかのリビジョンを示しませんでした。</translation>
    </message>
    <message>
        <source>The server supports only %1.</source>
        <translation>サーバーが対応しているのは%1のみです。</translation>
    </message>
    <message>
        <source>The response to server/discover lists no revisions.</source>
        <translation>server/discoverへのレスポンスにリビジョンが挙げられていません。</translation>
    </message>
    <message>
        <source>The server lists %1 in its response to server/discover.</source>
        <translation>サーバーはserver/discoverへのレスポンスで%1を挙げています。</translation>
    </message>
    <message>
        <source>The server responded to server/discover with an error without a code.</source>
        <translation>サーバーはserver/discoverに、コードのないエラーで応答しました。</translation>
    </message>
    <message>
        <source>The server responded to server/discover with error %1.</source>
        <translation>サーバーはserver/discoverにエラー%1で応答しました。</translation>
    </message>
    <message>
        <source>The server did not respond to server/discover.</source>
        <translation>サーバーはserver/discoverに応答しませんでした。</translation>
    </message>
    <message>
        <source>The response to server/discover could not be used: %1</source>
        <translation>server/discoverへのレスポンスを使用できませんでした: %1</translation>
    </message>
    <message>
        <source>The server exited on server/discover.</source>
        <translation>サーバーはserver/discoverで終了しました。</translation>
    </message>
    <message>
        <source>The server responded to server/discover with HTTP %1.</source>
        <translation>サーバーはserver/discoverにHTTP %1で応答しました。</translation>
    </message>
    <message>
        <source>The call that asked for it has ended.</source>
        <translation>これを求めた呼び出しは終了しました。</translation>
    </message>
    <message>
        <source>The server asked for input (%1), which it did not get: %2</source>
        <translation>サーバーが入力 (%1) を求めましたが、得られませんでした: %2</translation>
    </message>
    <message>
        <source>structuredContent could not be checked: %1%2</source>
        <translation>structuredContentを検証できませんでした: %1%2</translation>
    </message>
    <message>
        <source>structuredContent does not match outputSchema: %1%2</source>
        <translation>structuredContentがoutputSchemaに適合しません: %1%2</translation>
    </message>
    <message>
        <source>it is missing, but the tool declares an outputSchema</source>
        <translation>ありませんが、ツールはoutputSchemaを宣言しています</translation>
    </message>
    <message>
        <source>structuredContent does not match outputSchema in more places: %1</source>
        <translation>structuredContentがoutputSchemaに適合しない箇所がほかにもあります: %1</translation>
    </message>
    <message>
        <source>Unmatched response: its ID is the string %1, but the request&apos;s was the number %2. The type of an ID must not change.</source>
        <translation>対応付けられないレスポンス: IDは文字列%1ですが、リクエストのIDは数値%2でした。IDの型を変えてはなりません。</translation>
    </message>
    <message>
        <source>Unmatched response: its id is the number %1, but the request&apos;s was the string %2. An id must come back with its own type.</source>
        <translation>対応付けられないレスポンス: idは数値%1ですが、リクエストのidは文字列%2でした。idは元の型で返す必要があります。</translation>
    </message>
    <message>
        <source>Unmatched response: no request with the ID %1 was sent.</source>
        <translation>対応付けられないレスポンス: ID %1のリクエストは送信されていません。</translation>
    </message>
    <message>
        <source>Response to a cancelled request: %1 (%2), cancelled %3 s earlier.</source>
        <translation>キャンセルしたリクエストへのレスポンス: %1 (%2)、%3 秒前にキャンセル。</translation>
    </message>
    <message>
        <source>Late response to request %1 (%2), which timed out %3 s earlier.</source>
        <translation>%3 秒前にタイムアウトしたリクエスト%1 (%2) への遅れたレスポンスです。</translation>
    </message>
    <message>
        <source>Late response to request %1 (%2), which failed %3 s earlier.</source>
        <translation>%3 秒前に失敗したリクエスト%1 (%2) への遅れたレスポンスです。</translation>
    </message>
    <message>
        <source>The server asked for %1 inputs at once; the limit is %2.</source>
        <translation>サーバーが一度に%1 件の入力を求めました。上限は%2 件です。</translation>
    </message>
    <message>
        <source>The server asked for input without naming a method.</source>
        <translation>サーバーがメソッドを示さずに入力を求めました。</translation>
    </message>
    <message>
        <source>The server asked for input with %1, which the client did not declare.</source>
        <translation>サーバーが%1で入力を求めましたが、クライアントはこれを宣言していません。</translation>
    </message>
    <message>
        <source>The server asked for &apos;%1&apos; with an invalid %2: %3</source>
        <translation>サーバーが無効な%2で&apos;%1&apos;を求めました: %3</translation>
    </message>
    <message>
        <source>No response sent: the request&apos;s ID is neither an integer nor a string.</source>
        <translation>レスポンスは送信されませんでした: リクエストのIDが整数でも文字列でもありません。</translation>
    </message>
    <message>
        <source>Servers cannot send requests in revision %1; no response was sent.</source>
        <translation>リビジョン%1では、サーバーはリクエストを送信できません。レスポンスは送信されませんでした。</translation>
    </message>
    <message>
        <source>No response sent: the connection is closing.</source>
        <translation>レスポンスは送信されませんでした: 接続を閉じています。</translation>
    </message>
    <message>
        <source>The response to a server request could not be sent: %1</source>
        <translation>サーバーからのリクエストへのレスポンスを送信できませんでした: %1</translation>
    </message>
    <message>
        <source>A server request with the ID %1 is already open; no response was sent to this one.</source>
        <translation>ID %1のサーバーからのリクエストがすでに応答待ちです。このリクエストにはレスポンスを送信しませんでした。</translation>
    </message>
    <message>
        <source>Max %1 open server requests; this one is refused.</source>
        <translation>応答待ちのサーバーからのリクエストは最大%1 件です。このリクエストは拒否されます。</translation>
    </message>
    <message>
        <source>The responses to a batch could not be sent: %1</source>
        <translation>バッチへのレスポンスを送信できませんでした: %1</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>欠落</translation>
    </message>
    <message>
        <source>The poll interval must be a number of milliseconds above 0; it is %1. Sonde asks every second.</source>
        <translation>ポーリング間隔は0より大きいミリ秒数である必要がありますが、%1です。Sondeは1 秒ごとに問い合わせます。</translation>
    </message>
    <message>
        <source>The poll interval is %1 ms; Sonde asks every 10 minutes.</source>
        <translation>ポーリング間隔は%1 msです。Sondeは10 分ごとに問い合わせます。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of the task must be an ISO 8601 time; it is %2.</source>
        <translation>タスクの&apos;%1&apos;はISO 8601の時刻である必要がありますが、%2です。</translation>
    </message>
    <message>
        <source>The task has no &apos;taskId&apos;.</source>
        <translation>タスクに&apos;taskId&apos;がありません。</translation>
    </message>
    <message>
        <source>Unknown task status: %1.</source>
        <translation>不明なタスクの状態: %1。</translation>
    </message>
    <message>
        <source>The ttl of the task must be a number of milliseconds or null; it is %1.</source>
        <translation>タスクのttlはミリ秒数またはnullである必要がありますが、%1です。</translation>
    </message>
    <message>
        <source>working</source>
        <translation>処理中</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>入力が必要</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>キャンセル済み</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>ほか %1 件</translation>
    </message>
    <message>
        <source>The server does not support server/discover.</source>
        <translation>サーバーはserver/discoverに対応していません。</translation>
    </message>
</context>
<context>
    <name>sonde::CommandLine</name>
    <message>
        <source>Unclosed quote %1 at position %2.</source>
        <translation>位置%2の引用符%1が閉じられていません。</translation>
    </message>
    <message>
        <source>No shell is used: %1 is passed as is. Use sh -c &apos;…&apos; if you need a shell.</source>
        <translation>シェルは使用されません。%1はそのまま渡されます。シェルが必要な場合はsh -c &apos;…&apos;を使用してください。</translation>
    </message>
    <message>
        <source>No shell is used, so the folder &apos;%1&apos; cannot be resolved.</source>
        <translation>シェルは使用されないため、フォルダー&apos;%1&apos;を解決できません。</translation>
    </message>
    <message>
        <source>Enter the full path, or use sh -c &apos;…&apos;.</source>
        <translation>フルパスを入力するか、sh -c &apos;…&apos;を使用してください。</translation>
    </message>
    <message>
        <source>The text contains several commands, one on each line.</source>
        <translation>テキストに、行ごとに複数のコマンドが含まれています。</translation>
    </message>
    <message>
        <source>Enter one command at a time.</source>
        <translation>コマンドは一度に1つ入力してください。</translation>
    </message>
    <message>
        <source>&apos;cd&apos; only changes the folder; no server would be started.</source>
        <translation>&apos;cd&apos;はフォルダーを変更するだけで、サーバーは起動しません。</translation>
    </message>
    <message>
        <source>Use cd FOLDER &amp;&amp; COMMAND.</source>
        <translation>cd FOLDER &amp;&amp; COMMANDを使用してください。</translation>
    </message>
</context>
<context>
    <name>sonde::Comparison</name>
    <message>
        <source>Environment variables were not recorded on one side; not compared.</source>
        <translation>片側で環境変数が記録されていないため、比較していません。</translation>
    </message>
    <message>
        <source>%1: redacted in the session; cannot be compared.</source>
        <translation>%1: セッションでマスクされているため、比較できません。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>Resource templates</source>
        <translation>リソーステンプレート</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>%1: not listed completely on either side; not compared.</source>
        <translation>%1: どちらの側でも一覧が完全ではないため、比較していません。</translation>
    </message>
    <message>
        <source>%1: not listed completely on one side; not compared.</source>
        <translation>%1: 片方の側で一覧が完全ではないため、比較していません。</translation>
    </message>
    <message>
        <source>%1 lists &apos;%2&apos; more than once; only the first one is compared.</source>
        <translation>%1の一覧に&apos;%2&apos;が複数あります。最初のものだけを比較します。</translation>
    </message>
</context>
<context>
    <name>sonde::Connection</name>
    <message>
        <source>Connected</source>
        <translation>接続済み</translation>
    </message>
    <message>
        <source>Restarting…</source>
        <translation>再起動しています…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>停止しています…</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未接続</translation>
    </message>
    <message>
        <source>Session lost (HTTP %1). Starting a new one.</source>
        <translation>セッションが失われました (HTTP %1)。新しいセッションを開始します。</translation>
    </message>
    <message>
        <source>HTTP+SSE: the server rejected Streamable HTTP (HTTP %1)</source>
        <translation>HTTP+SSE: サーバーがStreamable HTTPを拒否しました (HTTP %1)</translation>
    </message>
    <message>
        <source>Streamable HTTP: HTTP+SSE failed (%1)</source>
        <translation>Streamable HTTP: HTTP+SSEが失敗しました (%1)</translation>
    </message>
    <message>
        <source>Cancelled by you</source>
        <translation>あなたがキャンセルしました</translation>
    </message>
    <message>
        <source>Waiting for your approval…</source>
        <translation>あなたの承認を待っています…</translation>
    </message>
    <message>
        <source>Waiting for you to sign in…</source>
        <translation>あなたのサインインを待っています…</translation>
    </message>
    <message>
        <source>Waiting for credentials…</source>
        <translation>認証情報を待っています…</translation>
    </message>
    <message>
        <source>Waiting for server/discover…</source>
        <translation>server/discoverを待っています…</translation>
    </message>
    <message>
        <source>Session lost. Starting a new one…</source>
        <translation>セッションが失われました。新しいセッションを開始しています…</translation>
    </message>
    <message>
        <source>Waiting for the handshake…</source>
        <translation>ハンドシェイクを待っています…</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>接続しています…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>起動しています…</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>接続の消失</translation>
    </message>
    <message>
        <source>Session lost: the server no longer knew the new session either (HTTP %1).</source>
        <translation>セッションが失われました: サーバーは新しいセッションも認識しませんでした (HTTP %1)。</translation>
    </message>
    <message>
        <source>A new session was started once, and lost before anything worked. To try again, reconnect.</source>
        <translation>新しいセッションを1回開始しましたが、何も動作しないうちに失われました。もう一度試すには、再接続してください。</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>接続が閉じられました。</translation>
    </message>
    <message>
        <source>connection refused</source>
        <translation>接続拒否</translation>
    </message>
    <message>
        <source>host not found</source>
        <translation>ホストが見つかりません</translation>
    </message>
    <message>
        <source>TLS: certificate not trusted</source>
        <translation>TLS: 証明書が信頼されていません</translation>
    </message>
    <message>
        <source>HTTP %1</source>
        <translation>HTTP %1</translation>
    </message>
    <message>
        <source>session lost</source>
        <translation>セッションの消失</translation>
    </message>
    <message>
        <source>credentials required</source>
        <translation>認証情報が必要</translation>
    </message>
    <message>
        <source>scope missing</source>
        <translation>スコープの不足</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2) during startup.</source>
        <translation>サーバーは起動中にシグナル%1 (%2) で終了しました。</translation>
    </message>
    <message>
        <source>The server exited with code %1 during startup.</source>
        <translation>サーバーは起動中にコード%1で終了しました。</translation>
    </message>
    <message>
        <source>Last lines of stderr:</source>
        <translation>stderrの最後の行:</translation>
    </message>
    <message>
        <source>terminated by %1</source>
        <translation>%1により終了</translation>
    </message>
    <message>
        <source>exited with code %1</source>
        <translation>コード%1で終了</translation>
    </message>
    <message>
        <source>%1 during startup</source>
        <translation>起動中に%1</translation>
    </message>
    <message>
        <source>not authorized</source>
        <translation>認可されていません</translation>
    </message>
    <message>
        <source>HTTP %1 · not authorized</source>
        <translation>HTTP %1 · 認可されていません</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>タイムアウト</translation>
    </message>
    <message>
        <source>handshake failed</source>
        <translation>ハンドシェイクの失敗</translation>
    </message>
    <message>
        <source>handshake failed: error %1</source>
        <translation>ハンドシェイクの失敗: エラー%1</translation>
    </message>
    <message>
        <source>%1 cannot be removed, only replaced; every HTTP request needs it. Its default value is sent.</source>
        <translation>%1は削除できず、置き換えのみ可能です。すべてのHTTPリクエストに必要です。既定値が送信されます。</translation>
    </message>
    <message>
        <source>The value of %1 is redacted in the session and has no default. Enter a value, or the header is not sent.</source>
        <translation>%1の値はセッションでマスクされており、既定値もありません。値を入力しない場合、ヘッダーは送信されません。</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>承認</translation>
    </message>
    <message>
        <source>Resolve secrets</source>
        <translation>シークレットの解決</translation>
    </message>
    <message>
        <source>Find the server</source>
        <translation>サーバーの検索</translation>
    </message>
    <message>
        <source>Choose the transport</source>
        <translation>トランスポートの選択</translation>
    </message>
    <message>
        <source>Open the connection</source>
        <translation>接続の確立</translation>
    </message>
    <message>
        <source>Authorize</source>
        <translation>認可</translation>
    </message>
    <message>
        <source>Detect the protocol</source>
        <translation>プロトコルの検出</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>ハンドシェイク</translation>
    </message>
    <message>
        <source>List tools, resources and prompts</source>
        <translation>ツール、リソース、プロンプトの一覧取得</translation>
    </message>
    <message>
        <source>The server sent a message that violates JSON-RPC: %1</source>
        <translation>サーバーがJSON-RPCに違反するメッセージを送信しました: %1</translation>
    </message>
    <message>
        <source>The server sent %1 messages that violate JSON-RPC. The first: %2</source>
        <translation>サーバーがJSON-RPCに違反するメッセージを%1 件送信しました。最初のもの: %2</translation>
    </message>
    <message>
        <source>The server wrote a line to standard output that is not a JSON-RPC message: %1</source>
        <translation>サーバーがJSON-RPCメッセージではない行を標準出力に書き込みました: %1</translation>
    </message>
    <message>
        <source>The server wrote %1 lines to standard output that are not JSON-RPC messages. The first: %2</source>
        <translation>サーバーがJSON-RPCメッセージではない行を標準出力に%1 行書き込みました。最初のもの: %2</translation>
    </message>
    <message>
        <source>The server violates JSON-RPC: %1</source>
        <translation>サーバーがJSON-RPCに違反しています: %1</translation>
    </message>
    <message>
        <source>The server frames its messages with Content-Length headers, as the Language Server Protocol does. MCP servers write one message per line.</source>
        <translation>サーバーはLanguage Server Protocolのように、メッセージをContent-Lengthヘッダーで区切っています。MCPサーバーは1行に1つのメッセージを書き込みます。</translation>
    </message>
    <message>
        <source>The server spreads its messages over several lines (indented JSON). MCP servers write each message on one line, without line breaks in it.</source>
        <translation>サーバーはメッセージを複数行に分けています (字下げされたJSON)。MCPサーバーは各メッセージを途中で改行せず1行に書き込みます。</translation>
    </message>
    <message>
        <source>Standard output must carry nothing but JSON-RPC messages, one per line. Logs belong on standard error.</source>
        <translation>標準出力には、1行に1つのJSON-RPCメッセージ以外を出力してはなりません。ログは標準エラー出力に出力してください。</translation>
    </message>
    <message>
        <source>Standard output, violating JSON-RPC:</source>
        <translation>JSON-RPCに違反する標準出力:</translation>
    </message>
    <message>
        <source>Standard output, not JSON-RPC:</source>
        <translation>JSON-RPCではない標準出力:</translation>
    </message>
    <message>
        <source>… and more: %1 lines in all</source>
        <translation>… ほかにもあり、全%1 行</translation>
    </message>
</context>
<context>
    <name>sonde::Connector</name>
    <message>
        <source>The server supports revisions %1; Sonde supports %2.</source>
        <translation>サーバーはリビジョン%1に、Sondeは%2に対応しています。</translation>
    </message>
    <message>
        <source>%1 has no initialize: set the protocol revision of this server to Automatic.</source>
        <translation>%1にはinitializeがありません。このサーバーのプロトコルリビジョンを自動に設定してください。</translation>
    </message>
    <message>
        <source>The server speaks revision 2026-07-28 or later, which has no initialize. Set the protocol revision of this server to Automatic.</source>
        <translation>サーバーはinitializeのないリビジョン2026-07-28以降を使用しています。このサーバーのプロトコルリビジョンを自動に設定してください。</translation>
    </message>
    <message>
        <source>The server does not know initialize. It may speak only revision 2026-07-28 or later: set the protocol revision of this server to Automatic.</source>
        <translation>サーバーはinitializeを認識していません。リビジョン2026-07-28以降のみに対応している可能性があります。このサーバーのプロトコルリビジョンを自動に設定してください。</translation>
    </message>
    <message>
        <source>Connecting timed out after %1 s.</source>
        <translation>接続が%1 秒でタイムアウトしました。</translation>
    </message>
    <message>
        <source>No transport.</source>
        <translation>トランスポートがありません。</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>接続が閉じられました。</translation>
    </message>
    <message>
        <source>The &apos;protocolVersion&apos; in the response to initialize is not a string.</source>
        <translation>initializeへのレスポンスの&apos;protocolVersion&apos;が文字列ではありません。</translation>
    </message>
    <message>
        <source>The response to initialize has no &apos;protocolVersion&apos;.</source>
        <translation>initializeへのレスポンスに&apos;protocolVersion&apos;がありません。</translation>
    </message>
    <message>
        <source>The server responded to initialize with revision %1, which has no initialize. With initialize, Sonde supports %2.</source>
        <translation>サーバーはinitializeに、initializeのないリビジョン%1で応答しました。initializeを使う場合、Sondeは%2に対応しています。</translation>
    </message>
    <message>
        <source>Its response to server/discover did not offer that revision.</source>
        <translation>server/discoverへのレスポンスはそのリビジョンを提示していませんでした。</translation>
    </message>
    <message>
        <source>Set the protocol revision of this server to Automatic.</source>
        <translation>このサーバーのプロトコルリビジョンを自動に設定してください。</translation>
    </message>
    <message>
        <source>No common protocol revision: the server offered &apos;%1&apos;, Sonde supports %2.</source>
        <translation>共通のプロトコルリビジョンがありません。サーバーは&apos;%1&apos;を提示しましたが、Sondeが対応しているのは%2です。</translation>
    </message>
    <message>
        <source>The server did not respond to %1 within %2 s.</source>
        <translation>サーバーは%2 秒以内に%1に応答しませんでした。</translation>
    </message>
    <message>
        <source>A server that is downloaded at start, or that waits for something, may need longer.</source>
        <translation>起動時にダウンロードされるサーバーや、何かを待つサーバーでは、時間がかかることがあります。</translation>
    </message>
</context>
<context>
    <name>sonde::Dialect</name>
    <message>
        <source>There are more findings of this kind.</source>
        <translation>この種の検出事項はほかにもあります。</translation>
    </message>
    <message>
        <source>At byte %1: %2</source>
        <translation>バイト%1: %2</translation>
    </message>
    <message>
        <source>The server&apos;s response breaks JSON-RPC.</source>
        <translation>サーバーのレスポンスがJSON-RPCに違反しています。</translation>
    </message>
    <message>
        <source>The result of %1 is %2, not an object.</source>
        <translation>%1の結果がオブジェクトではなく%2です。</translation>
    </message>
    <message>
        <source>Response to %1: %2</source>
        <translation>%1へのレスポンス: %2</translation>
    </message>
    <message>
        <source>&apos;isError&apos; is %1, not a boolean; it is read as false.</source>
        <translation>&apos;isError&apos;がブール値ではなく%1です。falseとして扱います。</translation>
    </message>
    <message>
        <source>The tool %1 cannot be called over HTTP: %2</source>
        <translation>ツール%1はHTTP経由では呼び出せません: %2</translation>
    </message>
    <message>
        <source>“%1” is too large for the header %2: integers there end at ±9007199254740991.</source>
        <translation>「%1」はヘッダー%2には大きすぎます。整数の範囲は±9007199254740991までです。</translation>
    </message>
    <message>
        <source>The server supports %1, Sonde supports %2. Use Detect again.</source>
        <translation>サーバーは%1に、Sondeは%2に対応しています。「再検出」を使用してください。</translation>
    </message>
    <message>
        <source>The result has no &apos;resultType&apos;; it is read as complete.</source>
        <translation>結果に&apos;resultType&apos;がありません。completeとして扱います。</translation>
    </message>
    <message>
        <source>The server asks for input, but does not say which.</source>
        <translation>サーバーが入力を求めていますが、何の入力かを示していません。</translation>
    </message>
    <message>
        <source>The result of %1 has the type %2, which is not allowed there.</source>
        <translation>%1の結果の型は%2ですが、ここでは許可されていません。</translation>
    </message>
    <message>
        <source>The task was cancelled.</source>
        <translation>タスクはキャンセルされました。</translation>
    </message>
    <message>
        <source>The task was cancelled: %1</source>
        <translation>タスクはキャンセルされました: %1</translation>
    </message>
    <message>
        <source>The server started a task without a &apos;taskId&apos;, so its result cannot be read.</source>
        <translation>サーバーが&apos;taskId&apos;なしでタスクを開始したため、結果を読み取れません。</translation>
    </message>
    <message>
        <source>The &apos;taskId&apos; of the task has %1 characters; the limit is %2.</source>
        <translation>タスクの&apos;taskId&apos;は%1 文字ですが、上限は%2 文字です。</translation>
    </message>
    <message>
        <source>The server does not say the &apos;status&apos; of the task, so it cannot be followed.</source>
        <translation>サーバーがタスクの&apos;status&apos;を示さないため、追跡できません。</translation>
    </message>
    <message>
        <source>The server says that the &apos;status&apos; of the task is %1, which the protocol does not have, so it cannot be followed.</source>
        <translation>サーバーはタスクの&apos;status&apos;を%1としていますが、プロトコルに存在しないため追跡できません。</translation>
    </message>
    <message>
        <source>A task that has not ended has a result; it is ignored.</source>
        <translation>終了していないタスクに結果があります。無視されます。</translation>
    </message>
    <message>
        <source>The task requires input, but has no object &apos;inputRequests&apos;.</source>
        <translation>タスクは入力を必要としていますが、オブジェクト&apos;inputRequests&apos;がありません。</translation>
    </message>
    <message>
        <source>The task is completed, but the server sent no &apos;result&apos; with it.</source>
        <translation>タスクは完了しましたが、サーバーは&apos;result&apos;を送信しませんでした。</translation>
    </message>
    <message>
        <source>The task failed, and the server sent no &apos;error&apos; with it. %1</source>
        <translation>タスクは失敗しましたが、サーバーは&apos;error&apos;を送信しませんでした。%1</translation>
    </message>
</context>
<context>
    <name>sonde::Difference</name>
    <message>
        <source>absent</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>added</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>number format</source>
        <translation>数値の表記</translation>
    </message>
    <message>
        <source>same value, different text</source>
        <translation>値は同じ、テキストは異なる</translation>
    </message>
    <message>
        <source>type</source>
        <translation>型</translation>
    </message>
    <message>
        <source>%1: added %2</source>
        <translation>%1: %2を追加</translation>
    </message>
    <message>
        <source>%1: removed %2</source>
        <translation>%1: %2を削除</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1: %2 → %3</translation>
    </message>
    <message>
        <source>%1: %2 → %3, same value</source>
        <translation>%1: %2 → %3、値は同じ</translation>
    </message>
    <message>
        <source>more than %1 differences</source>
        <translation>%1 件を超える差異</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 件の差異</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 件の差異</translation>
    </message>
    <message>
        <source>1 difference in formatting only</source>
        <translation>書式のみの差異1 件</translation>
    </message>
    <message>
        <source>%1 differences in formatting only</source>
        <translation>書式のみの差異%1 件</translation>
    </message>
    <message>
        <source>%1 in formatting only</source>
        <translation>書式のみ%1 件</translation>
    </message>
</context>
<context>
    <name>sonde::Doctor</name>
    <message>
        <source>another processor</source>
        <translation>別のプロセッサー</translation>
    </message>
    <message>
        <source>the program is for %1</source>
        <translation>プログラムは%1用です</translation>
    </message>
    <message>
        <source>Install the one for this system.</source>
        <translation>このシステム用のものをインストールしてください。</translation>
    </message>
    <message>
        <source>neither a program of this system nor a script that names its interpreter</source>
        <translation>このシステムのプログラムでも、インタープリターを指定したスクリプトでもありません</translation>
    </message>
    <message>
        <source>A script needs a first line such as “#!/bin/sh”; or start it through its interpreter.</source>
        <translation>スクリプトには「#!/bin/sh」などの先頭行が必要です。または、インタープリターから起動してください。</translation>
    </message>
    <message>
        <source>the program is for %1; this computer is %2</source>
        <translation>プログラムは%1用ですが、このコンピューターは%2です</translation>
    </message>
    <message>
        <source>the program needs the loader %1, which does not exist</source>
        <translation>プログラムに必要なローダー%1が存在しません</translation>
    </message>
    <message>
        <source>It was built for another distribution, such as one with musl.</source>
        <translation>muslを使用するものなど、別のディストリビューション用にビルドされています。</translation>
    </message>
    <message>
        <source>Use the login shell&apos;s PATH</source>
        <translation>ログインシェルのPATHを使用</translation>
    </message>
    <message>
        <source>Choose working directory…</source>
        <translation>作業ディレクトリを選択…</translation>
    </message>
    <message>
        <source>Edit server…</source>
        <translation>サーバーを編集…</translation>
    </message>
    <message>
        <source>Add a header…</source>
        <translation>ヘッダーを追加…</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>サインイン</translation>
    </message>
    <message>
        <source>Try HTTP+SSE</source>
        <translation>HTTP+SSEを試す</translation>
    </message>
    <message>
        <source>Detect the transport</source>
        <translation>トランスポートを検出</translation>
    </message>
    <message>
        <source>Network settings…</source>
        <translation>ネットワーク設定…</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>コマンドライン</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>作業ディレクトリ</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>プログラム</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>ランタイム</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起動</translation>
    </message>
    <message>
        <source>First output</source>
        <translation>最初の出力</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Host name</source>
        <translation>ホスト名</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>接続</translation>
    </message>
    <message>
        <source>TLS</source>
        <translation>TLS</translation>
    </message>
    <message>
        <source>HTTP status</source>
        <translation>HTTPステータス</translation>
    </message>
    <message>
        <source>Authorization</source>
        <translation>認可</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>プロトコル</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>ハンドシェイク</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>一覧</translation>
    </message>
</context>
<context>
    <name>sonde::Entry</name>
    <message>
        <source>The entry is not an object.</source>
        <translation>エントリがオブジェクトではありません。</translation>
    </message>
    <message>
        <source>&apos;uri&apos; has no scheme.</source>
        <translation>&apos;uri&apos;にスキームがありません。</translation>
    </message>
    <message>
        <source>Neither &apos;text&apos; nor &apos;blob&apos; is present.</source>
        <translation>&apos;text&apos;も&apos;blob&apos;もありません。</translation>
    </message>
    <message>
        <source>Both &apos;text&apos; and &apos;blob&apos; are present.</source>
        <translation>&apos;text&apos;と&apos;blob&apos;の両方があります。</translation>
    </message>
    <message>
        <source>The content is not an object.</source>
        <translation>コンテンツがオブジェクトではありません。</translation>
    </message>
    <message>
        <source>Unknown content type &quot;%1&quot;.</source>
        <translation>不明なコンテンツの型&quot;%1&quot;。</translation>
    </message>
    <message>
        <source>The content is a single object instead of an array.</source>
        <translation>コンテンツが配列ではなく単一のオブジェクトです。</translation>
    </message>
</context>
<context>
    <name>sonde::EventStream</name>
    <message>
        <source>The server ended the event stream, which ends the session.</source>
        <translation>サーバーがイベントストリームを終了したため、セッションも終了します。</translation>
    </message>
    <message>
        <source>HTTP+SSE cannot resume a stream. Reconnect to start a new session.</source>
        <translation>HTTP+SSEはストリームを再開できません。再接続して新しいセッションを開始してください。</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: the server refuses it (HTTP %1).</source>
        <translation>サーバーメッセージ用のストリームは再び開かれません: サーバーが拒否しました (HTTP %1)。</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: it ended without a message.</source>
        <translation>サーバーメッセージ用のストリームは再び開かれません: メッセージなしで終了しました。</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: it ended %1 times in a row without a message.</source>
        <translation>サーバーメッセージ用のストリームは再び開かれません: %1 回連続でメッセージなしで終了しました。</translation>
    </message>
    <message>
        <source>Server notifications and requests will not be received. Reconnect to reopen the stream.</source>
        <translation>サーバーの通知とリクエストは受信されません。ストリームを再び開くには再接続してください。</translation>
    </message>
</context>
<context>
    <name>sonde::Examination</name>
    <message>
        <source>not reached</source>
        <translation>未到達</translation>
    </message>
    <message>
        <source>revision %1, %2 %3</source>
        <translation>リビジョン%1、%2 %3</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>resources</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>resource templates</source>
        <translation>リソーステンプレート</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>none offered</source>
        <translation>提供なし</translation>
    </message>
</context>
<context>
    <name>sonde::Exporter</name>
    <message>
        <source>This file is the session itself.</source>
        <translation>このファイルはセッションそのものです。</translation>
    </message>
    <message>
        <source>Choose another file; an export contains less than the session.</source>
        <translation>別のファイルを選択してください。エクスポートに含まれる内容はセッションより少なくなります。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>キャンセルされました。</translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation>書き込まれませんでした: %1</translation>
    </message>
    <message>
        <source>… and %1 more bytes</source>
        <translation>… ほか%1 バイト</translation>
    </message>
    <message>
        <source>Session with %1</source>
        <translation>%1とのセッション</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 件のレコード</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>件数</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>エラー</translation>
    </message>
    <message>
        <source>Waiting for user</source>
        <translation>ユーザー待ち</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>レコード</translation>
    </message>
    <message>
        <source>plus %1 waiting for user</source>
        <translation>ほかにユーザー待ち%1</translation>
    </message>
    <message>
        <source>Redacted</source>
        <translation>マスク済み</translation>
    </message>
</context>
<context>
    <name>sonde::Files</name>
    <message>
        <source>%1 is being changed by another program.</source>
        <translation>%1は別のプログラムによって変更中です。</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>少し待ってからもう一度試してください。</translation>
    </message>
    <message>
        <source>%1 is not a JSON object.</source>
        <translation>%1はJSONオブジェクトではありません。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1に書き込めません: %2。</translation>
    </message>
    <message>
        <source>not an ordinary file</source>
        <translation>通常のファイルではありません</translation>
    </message>
    <message>
        <source>Standard input</source>
        <translation>標準入力</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1を読み取れません: %2。</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 バイト</translation>
    </message>
    <message>
        <source>%1 is larger than %2.</source>
        <translation>%1は%2を超えています。</translation>
    </message>
    <message>
        <source>Check that it is the right file.</source>
        <translation>正しいファイルであることを確認してください。</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>a named pipe</source>
        <translation>名前付きパイプ</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>ソケット</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>something else</source>
        <translation>その他のもの</translation>
    </message>
    <message>
        <source>%1 cannot be read: it is %2, not an ordinary file.</source>
        <translation>%1を読み取れません: 通常のファイルではなく%2です。</translation>
    </message>
    <message>
        <source>Put an ordinary file in its place.</source>
        <translation>代わりに通常のファイルを置いてください。</translation>
    </message>
    <message>
        <source>No home directory: HOME is not set.</source>
        <translation>ホームディレクトリがありません: HOMEが設定されていません。</translation>
    </message>
    <message>
        <source>Set HOME and start Sonde again.</source>
        <translation>HOMEを設定して、Sondeをもう一度起動してください。</translation>
    </message>
    <message>
        <source>The folder &apos;%1&apos; could not be created: %2</source>
        <translation>フォルダー&apos;%1&apos;を作成できませんでした: %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a folder.</source>
        <translation>&apos;%1&apos;はフォルダーではありません。</translation>
    </message>
</context>
<context>
    <name>sonde::Filter</name>
    <message>
        <source>This filter is too long.</source>
        <translation>このフィルターは長すぎます。</translation>
    </message>
    <message>
        <source>Method of the message, or of its request</source>
        <translation>メッセージまたはそのリクエストのメソッド</translation>
    </message>
    <message>
        <source>Name of the called tool, also on responses</source>
        <translation>呼び出したツールの名前 (レスポンスにも適用)</translation>
    </message>
    <message>
        <source>Name of the requested prompt, also on responses</source>
        <translation>要求したプロンプトの名前 (レスポンスにも適用)</translation>
    </message>
    <message>
        <source>URI of the resource, also on responses</source>
        <translation>リソースのURI (レスポンスにも適用)</translation>
    </message>
    <message>
        <source>ID of the request or response</source>
        <translation>リクエストまたはレスポンスのID</translation>
    </message>
    <message>
        <source>Direction: out to the server, in from the server, or local</source>
        <translation>方向: サーバーへのout、サーバーからのin、またはlocal</translation>
    </message>
    <message>
        <source>Kind of record or message</source>
        <translation>レコードまたはメッセージの種類</translation>
    </message>
    <message>
        <source>Outcome of the request</source>
        <translation>リクエストの成否</translation>
    </message>
    <message>
        <source>Milliseconds from request to response</source>
        <translation>リクエストからレスポンスまでのミリ秒数</translation>
    </message>
    <message>
        <source>Bytes on the wire</source>
        <translation>通信上のバイト数</translation>
    </message>
    <message>
        <source>HTTP status</source>
        <translation>HTTPステータス</translation>
    </message>
    <message>
        <source>Protocol revision in use</source>
        <translation>使用中のプロトコルリビジョン</translation>
    </message>
    <message>
        <source>Name of the server</source>
        <translation>サーバーの名前</translation>
    </message>
    <message>
        <source>Findings about the record as text; true or false</source>
        <translation>レコードの検出事項のテキスト、またはtrueかfalse</translation>
    </message>
    <message>
        <source>Seconds since the start, a time of day, or a date and time</source>
        <translation>開始からの秒数、時刻、または日時</translation>
    </message>
    <message>
        <source>JSON pointer into the message</source>
        <translation>メッセージ内へのJSONポインター</translation>
    </message>
    <message>
        <source>“%1” must be one of %2.</source>
        <translation>「%1」は%2のいずれかである必要があります。</translation>
    </message>
    <message>
        <source>Not a valid time. Write 12.5 (seconds since the start), 14:05:30 or 2026-01-31T14:05:30Z.</source>
        <translation>有効な時刻ではありません。12.5 (開始からの秒数)、14:05:30、または2026-01-31T14:05:30Zのように書いてください。</translation>
    </message>
    <message>
        <source>Not a valid regular expression: %1, at character %2.</source>
        <translation>有効な正規表現ではありません: %1 (%2 文字目)。</translation>
    </message>
    <message>
        <source>“%1” has no order: use == or !=.</source>
        <translation>「%1」には順序がありません。==または!=を使用してください。</translation>
    </message>
    <message>
        <source>“%1” must be compared with a number.</source>
        <translation>「%1」は数値と比較する必要があります。</translation>
    </message>
    <message>
        <source>Unmatched closing parenthesis.</source>
        <translation>対応する開き括弧のない閉じ括弧です。</translation>
    </message>
    <message>
        <source>Nested too deeply.</source>
        <translation>入れ子が深すぎます。</translation>
    </message>
    <message>
        <source>Unclosed parenthesis.</source>
        <translation>括弧が閉じられていません。</translation>
    </message>
    <message>
        <source>Unclosed quote.</source>
        <translation>引用符が閉じられていません。</translation>
    </message>
    <message>
        <source>Expected a field before this operator: %1.</source>
        <translation>この演算子の前にフィールドが必要です: %1。</translation>
    </message>
    <message>
        <source>Expected a word, a comparison or a parenthesis.</source>
        <translation>語、比較、または括弧が必要です。</translation>
    </message>
    <message>
        <source>Expected a word, a comparison or a parenthesis before this.</source>
        <translation>この前に語、比較、または括弧が必要です。</translation>
    </message>
    <message>
        <source>Use == for equality.</source>
        <translation>等価の比較には==を使用してください。</translation>
    </message>
    <message>
        <source>Expected a value.</source>
        <translation>値が必要です。</translation>
    </message>
    <message>
        <source>Write ~ as ~0 in a JSON pointer.</source>
        <translation>JSONポインターでは~を~0と書いてください。</translation>
    </message>
    <message>
        <source>Unknown field “%1”. Fields are %2, and JSON pointers such as /params/name. To search for text that contains =, &lt;, &gt; or ~, put it in quotes.</source>
        <translation>不明なフィールド「%1」。フィールドは%2と、/params/nameなどのJSONポインターです。=、&lt;、&gt;、~を含むテキストを検索するには、引用符で囲んでください。</translation>
    </message>
    <message>
        <source>The values of “%1” have no order: use ==, != or ~.</source>
        <translation>「%1」の値には順序がありません。==、!=、~を使用してください。</translation>
    </message>
    <message>
        <source>~ matches text, but “%1” is not text: use ==, !=, &lt;, &lt;=, &gt; or &gt;=.</source>
        <translation>~はテキストに一致しますが、「%1」はテキストではありません。==、!=、&lt;、&lt;=、&gt;、&gt;=を使用してください。</translation>
    </message>
</context>
<context>
    <name>sonde::HttpExchange</name>
    <message>
        <source>The response from %1 is not HTTP.</source>
        <translation>%1からのレスポンスがHTTPではありません。</translation>
    </message>
    <message>
        <source>It begins with: %1</source>
        <translation>先頭: %1</translation>
    </message>
    <message>
        <source>It speaks TLS on this port: begin the URL with https://.</source>
        <translation>このポートではTLSが使用されています。URLをhttps://で始めてください。</translation>
    </message>
    <message>
        <source>The headers of the response from %1 are longer than the limit of %2.</source>
        <translation>%1からのレスポンスのヘッダーが上限の%2を超えています。</translation>
    </message>
    <message>
        <source>The response has an invalid Content-Length: %1</source>
        <translation>レスポンスのContent-Lengthが無効です: %1</translation>
    </message>
    <message>
        <source>The response has the Transfer-Encoding “%1”; only “chunked” is supported.</source>
        <translation>レスポンスのTransfer-Encodingは「%1」ですが、対応しているのは「chunked」のみです。</translation>
    </message>
    <message>
        <source>The body of the response breaks the chunked encoding.</source>
        <translation>レスポンスの本文がチャンクエンコーディングに違反しています。</translation>
    </message>
    <message>
        <source>Expected a chunk size or a line end, got: %1</source>
        <translation>チャンクサイズまたは行末が必要ですが、次を受信しました: %1</translation>
    </message>
    <message>
        <source>%1 closed the connection before it had read the whole request.</source>
        <translation>%1は、リクエスト全体を読み取る前に接続を閉じました。</translation>
    </message>
    <message>
        <source>The request (%1) may be larger than the server accepts.</source>
        <translation>リクエスト (%1) がサーバーの受け付ける大きさを超えている可能性があります。</translation>
    </message>
    <message>
        <source>The response from %1 stalled: no data received for %2 s.</source>
        <translation>%1からのレスポンスが停止しました: %2 秒間データを受信していません。</translation>
    </message>
    <message>
        <source>The headers of the response from %1 were not complete within %2 s.</source>
        <translation>%1からのレスポンスのヘッダーが%2 秒以内に完了しませんでした。</translation>
    </message>
    <message>
        <source>%1 did not start to respond within %2 s.</source>
        <translation>%1は%2 秒以内にレスポンスを開始しませんでした。</translation>
    </message>
</context>
<context>
    <name>sonde::HttpFetch</name>
    <message>
        <source>%1 did not respond within %2 s.</source>
        <translation>%1は%2 秒以内に応答しませんでした。</translation>
    </message>
    <message>
        <source>The response from %1 is larger than %2 bytes.</source>
        <translation>%1からのレスポンスが%2 バイトを超えています。</translation>
    </message>
</context>
<context>
    <name>sonde::HttpStream</name>
    <message>
        <source>Session lost: the server no longer knows it (HTTP 404).</source>
        <translation>セッションが失われました: サーバーはもうセッションを認識していません (HTTP 404)。</translation>
    </message>
    <message>
        <source>If no new session was started, reconnect. Calls are repeated only once, and only if that is safe.</source>
        <translation>新しいセッションが開始されていない場合は、再接続してください。呼び出しの繰り返しは1回だけで、安全な場合に限られます。</translation>
    </message>
    <message>
        <source>The server compressed its response (%1), which Sonde does not support.</source>
        <translation>サーバーがレスポンスを圧縮しましたが (%1)、Sondeは対応していません。</translation>
    </message>
    <message>
        <source>The server compressed its response (%1), although compression was not accepted.</source>
        <translation>圧縮を受け付けないとしているのに、サーバーがレスポンスを圧縮しました (%1)。</translation>
    </message>
    <message>
        <source>Set Accept-Encoding to “identity”.</source>
        <translation>Accept-Encodingを「identity」に設定してください。</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 without a response to the request.</source>
        <translation>サーバーがリクエストへのレスポンスなしでHTTP %1を返しました。</translation>
    </message>
    <message>
        <source>The response has no Content-Type.</source>
        <translation>レスポンスにContent-Typeがありません。</translation>
    </message>
    <message>
        <source>The server returned %1 instead of JSON or an event stream.</source>
        <translation>サーバーがJSONまたはイベントストリームではなく%1を返しました。</translation>
    </message>
    <message>
        <source>This is a web page: possibly a login page, or the wrong URL.</source>
        <translation>これはWebページです。ログインページか、URLの誤りの可能性があります。</translation>
    </message>
</context>
<context>
    <name>sonde::HttpTransport</name>
    <message>
        <source>on a private network</source>
        <translation>プライベートネットワーク上</translation>
    </message>
    <message>
        <source>a link-local address</source>
        <translation>リンクローカルアドレス</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>このコンピューター上</translation>
    </message>
    <message>
        <source>a reserved address</source>
        <translation>予約済みアドレス</translation>
    </message>
    <message>
        <source>a public address</source>
        <translation>パブリックアドレス</translation>
    </message>
    <message>
        <source>Not connected to %1, which the server named: it is %2.</source>
        <translation>サーバーが指定した%1には接続しませんでした: %2です。</translation>
    </message>
    <message>
        <source>Not connected to %1, which the server named: its address %2 is %3.</source>
        <translation>サーバーが指定した%1には接続しませんでした: アドレス%2は%3です。</translation>
    </message>
    <message>
        <source>If you trust this, add %1 to the allowed hosts in this server&apos;s network settings, or pass --allow-host to sonde-cli.</source>
        <translation>信頼できる場合は、このサーバーのネットワーク設定の許可するホストに%1を追加するか、sonde-cliに--allow-hostを渡してください。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1～%2</translation>
    </message>
    <message>
        <source>  certificate of %1, issued by %2, valid from %3</source>
        <translation>  %1の証明書、発行者%2、有効期間%3</translation>
    </message>
    <message>
        <source>The server&apos;s certificate:</source>
        <translation>サーバーの証明書:</translation>
    </message>
    <message>
        <source>  Subject: %1</source>
        <translation>  サブジェクト: %1</translation>
    </message>
    <message>
        <source>  For: %1</source>
        <translation>  対象: %1</translation>
    </message>
    <message>
        <source>  Issuer: %1</source>
        <translation>  発行者: %1</translation>
    </message>
    <message>
        <source>  Valid: %1</source>
        <translation>  有効期間: %1</translation>
    </message>
    <message>
        <source>  SHA-256: %1</source>
        <translation>  SHA-256: %1</translation>
    </message>
    <message>
        <source>Check that the server uses TLS on this port, and whether it requires a client certificate.</source>
        <translation>サーバーがこのポートでTLSを使用しているか、クライアント証明書を要求しているかを確認してください。</translation>
    </message>
    <message>
        <source>To trust exactly this certificate, accept its SHA-256 fingerprint in this server&apos;s network settings, or with --accept-certificate of sonde-cli: %1</source>
        <translation>この証明書だけを信頼するには、このサーバーのネットワーク設定、またはsonde-cliの--accept-certificateで、SHA-256フィンガープリントを受け入れてください: %1</translation>
    </message>
    <message>
        <source>It is not the certificate that is accepted for this server.</source>
        <translation>このサーバーについて受け入れている証明書ではありません。</translation>
    </message>
    <message>
        <source>its certificate has expired</source>
        <translation>証明書の有効期限が切れています</translation>
    </message>
    <message>
        <source>its certificate is not valid yet</source>
        <translation>証明書がまだ有効ではありません</translation>
    </message>
    <message>
        <source>its certificate is for another host</source>
        <translation>証明書が別のホスト用です</translation>
    </message>
    <message>
        <source>its certificate is self-signed</source>
        <translation>証明書が自己署名です</translation>
    </message>
    <message>
        <source>its certificate authority is not trusted by this system</source>
        <translation>証明書の認証局がこのシステムで信頼されていません</translation>
    </message>
    <message>
        <source>its certificate issuer is unknown</source>
        <translation>証明書の発行者が不明です</translation>
    </message>
    <message>
        <source>its certificate was revoked</source>
        <translation>証明書が失効しています</translation>
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
        <translation>%1 日</translation>
    </message>
    <message>
        <source>%1 hours</source>
        <translation>%1 時間</translation>
    </message>
    <message>
        <source>%1 minutes</source>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>The server asks to retry later (Retry-After: %1).</source>
        <translation>サーバーが後で再試行するよう求めています (Retry-After: %1)。</translation>
    </message>
    <message>
        <source>The server asks to retry after %1 seconds (%2).</source>
        <translation>サーバーが%1 秒 (%2) 後に再試行するよう求めています。</translation>
    </message>
    <message>
        <source>Retry after 1 second.</source>
        <translation>1 秒後に再試行してください。</translation>
    </message>
    <message>
        <source>Retry after %1 seconds.</source>
        <translation>%1 秒後に再試行してください。</translation>
    </message>
    <message>
        <source>Add them to the system&apos;s proxy settings, as in http_proxy=http://USER:PASSWORD@HOST:PORT.</source>
        <translation>http_proxy=http://USER:PASSWORD@HOST:PORTのように、システムのプロキシ設定に追加してください。</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name.</source>
        <translation>「%1」は有効なヘッダー名ではありません。</translation>
    </message>
    <message>
        <source>The value of header “%1” contains a line break or another control character.</source>
        <translation>ヘッダー「%1」の値に改行またはその他の制御文字が含まれています。</translation>
    </message>
    <message>
        <source>The header “%1” is set by Sonde itself.</source>
        <translation>ヘッダー「%1」はSonde自身が設定します。</translation>
    </message>
    <message>
        <source>Remove it from this server&apos;s headers.</source>
        <translation>このサーバーのヘッダーから削除してください。</translation>
    </message>
    <message>
        <source>“%1” is not a URL.</source>
        <translation>「%1」はURLではありません。</translation>
    </message>
    <message>
        <source>A server URL must begin with http:// or https://, not %1:</source>
        <translation>サーバーのURLは次のスキームではなく、http://またはhttps://で始まる必要があります: %1:</translation>
    </message>
    <message>
        <source>The server redirects (HTTP %1) without a Location header.</source>
        <translation>サーバーがLocationヘッダーなしでリダイレクトします (HTTP %1)。</translation>
    </message>
    <message>
        <source>The server redirects (HTTP %1) to %2, which is not an HTTP address.</source>
        <translation>サーバーが、HTTPアドレスではない%2にリダイレクトします (HTTP %1)。</translation>
    </message>
    <message>
        <source>The server redirects to another origin: %1</source>
        <translation>サーバーが別のオリジンにリダイレクトします: %1</translation>
    </message>
    <message>
        <source>If you trust that address, use it as this server&apos;s URL. Sonde does not follow such redirects, because that would send your headers and the call to it.</source>
        <translation>そのアドレスを信頼する場合は、このサーバーのURLとして使用してください。ヘッダーと呼び出しがそこに送信されることになるため、Sondeはこのようなリダイレクトに従いません。</translation>
    </message>
    <message>
        <source>The server redirects with HTTP %1 to %2</source>
        <translation>サーバーがHTTP %1で%2にリダイレクトします</translation>
    </message>
    <message>
        <source>Use that address as this server&apos;s URL. Only 307 and 308 preserve the request.</source>
        <translation>そのアドレスをこのサーバーのURLとして使用してください。リクエストが維持されるのは307と308だけです。</translation>
    </message>
    <message>
        <source>Too many redirects, the last one to %1</source>
        <translation>リダイレクトが多すぎます。最後のリダイレクト先: %1</translation>
    </message>
    <message>
        <source>Connection refused: nothing is listening on %1.</source>
        <translation>接続が拒否されました: %1では何も待ち受けていません。</translation>
    </message>
    <message>
        <source>Check that the server is running and that the port is correct.</source>
        <translation>サーバーが実行中であることと、ポートが正しいことを確認してください。</translation>
    </message>
    <message>
        <source>Host “%1” not found (DNS).</source>
        <translation>ホスト「%1」が見つかりません (DNS)。</translation>
    </message>
    <message>
        <source>Check the spelling and the network connection.</source>
        <translation>つづりとネットワーク接続を確認してください。</translation>
    </message>
    <message>
        <source>%1 does not speak TLS.</source>
        <translation>%1はTLSを使用していません。</translation>
    </message>
    <message>
        <source>If this server is meant to be reached without encryption, begin its URL with http://.</source>
        <translation>暗号化なしで接続するサーバーの場合は、URLをhttp://で始めてください。</translation>
    </message>
    <message>
        <source>The TLS connection to %1 failed.</source>
        <translation>%1へのTLS接続に失敗しました。</translation>
    </message>
    <message>
        <source>%1 is not trusted (TLS): %2.</source>
        <translation>%1は信頼されていません (TLS): %2。</translation>
    </message>
    <message>
        <source>%1 closed the connection before its response was complete.</source>
        <translation>%1は、レスポンスが完了する前に接続を閉じました。</translation>
    </message>
    <message>
        <source>Servers that require a client certificate do this to clients without one.</source>
        <translation>クライアント証明書を要求するサーバーは、証明書のないクライアントに対してこのように動作します。</translation>
    </message>
    <message>
        <source>The connection to %1 timed out.</source>
        <translation>%1への接続がタイムアウトしました。</translation>
    </message>
    <message>
        <source>Check the address, the network connection and any firewall.</source>
        <translation>アドレス、ネットワーク接続、ファイアウォールを確認してください。</translation>
    </message>
    <message>
        <source>The proxy for %1 failed.</source>
        <translation>%1のプロキシで失敗しました。</translation>
    </message>
    <message>
        <source>Check the proxy in this server&apos;s network settings or in the system&apos;s.</source>
        <translation>このサーバーのネットワーク設定、またはシステムの設定でプロキシを確認してください。</translation>
    </message>
    <message>
        <source>The proxy for %1 requires a user name and password.</source>
        <translation>%1のプロキシがユーザー名とパスワードを要求しています。</translation>
    </message>
    <message>
        <source>The connection to %1 failed.</source>
        <translation>%1への接続に失敗しました。</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 %2.</source>
        <translation>サーバーがHTTP %1 %2を返しました。</translation>
    </message>
    <message>
        <source>The server returned HTTP %1: %2</source>
        <translation>サーバーがHTTP %1を返しました: %2</translation>
    </message>
    <message>
        <source>Error %1 belongs to revision 2026-07-28.</source>
        <translation>エラー%1はリビジョン2026-07-28のものです。</translation>
    </message>
    <message>
        <source>It requires authentication: add an Authorization header.</source>
        <translation>認証が必要です。Authorizationヘッダーを追加してください。</translation>
    </message>
    <message>
        <source>You are authenticated but not allowed to do this.</source>
        <translation>認証されていますが、この操作は許可されていません。</translation>
    </message>
    <message>
        <source>A proxy requires a user name and password (HTTP 407).</source>
        <translation>プロキシがユーザー名とパスワードを要求しています (HTTP 407)。</translation>
    </message>
    <message>
        <source>Check the path of the URL; many servers use /mcp.</source>
        <translation>URLのパスを確認してください。多くのサーバーは/mcpを使用します。</translation>
    </message>
    <message>
        <source>The server may use the older HTTP+SSE transport, or the path is wrong.</source>
        <translation>サーバーが旧式のHTTP+SSEトランスポートを使用しているか、パスが間違っている可能性があります。</translation>
    </message>
    <message>
        <source>This server uses the older HTTP+SSE transport of revision 2024-11-05, not Streamable HTTP.</source>
        <translation>このサーバーはStreamable HTTPではなく、旧式のリビジョン2024-11-05のHTTP+SSEトランスポートを使用しています。</translation>
    </message>
    <message>
        <source>Set the transport of this server to Automatic or HTTP+SSE. If it also offers Streamable HTTP, use that URL; it often ends in /mcp.</source>
        <translation>このサーバーのトランスポートを自動またはHTTP+SSEに設定してください。Streamable HTTPも提供している場合は、そのURLを使用してください。多くは/mcpで終わります。</translation>
    </message>
    <message>
        <source>a carriage return (CR)</source>
        <translation>復帰文字 (CR)</translation>
    </message>
    <message>
        <source>a line feed (LF)</source>
        <translation>改行文字 (LF)</translation>
    </message>
    <message>
        <source>a NUL</source>
        <translation>NUL</translation>
    </message>
    <message>
        <source>the control character 0x%1</source>
        <translation>制御文字0x%1</translation>
    </message>
    <message>
        <source>The value of header “%1” contains %2 at character %3.</source>
        <translation>ヘッダー「%1」の値の%3 文字目に%2が含まれています。</translation>
    </message>
    <message>
        <source>A header is one line of text; remove that character.</source>
        <translation>ヘッダーは1行のテキストです。その文字を削除してください。</translation>
    </message>
    <message>
        <source>Header %1 has a value but no name.</source>
        <translation>ヘッダー%1に値はありますが、名前がありません。</translation>
    </message>
    <message>
        <source>Give it a name, or remove it.</source>
        <translation>名前を付けるか、削除してください。</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name (header %2).</source>
        <translation>「%1」は有効なヘッダー名ではありません (ヘッダー%2)。</translation>
    </message>
    <message>
        <source>Use only letters, digits and !#$%&amp;&apos;*+-.^_`|~, without spaces.</source>
        <translation>空白を入れず、英字、数字、!#$%&amp;&apos;*+-.^_`|~のみを使用してください。</translation>
    </message>
    <message>
        <source>Duplicate header “%1” (header %2).</source>
        <translation>ヘッダー「%1」が重複しています (ヘッダー%2)。</translation>
    </message>
    <message>
        <source>Each name is sent once. Combine the values, separated by a comma.</source>
        <translation>各名前は1回だけ送信されます。値をコンマ区切りでまとめてください。</translation>
    </message>
    <message>
        <source>The header “%1” cannot be set; Sonde computes it from the message.</source>
        <translation>ヘッダー「%1」は設定できません。Sondeがメッセージから算出します。</translation>
    </message>
    <message>
        <source>Remove it; a wrong length would corrupt the next request.</source>
        <translation>削除してください。長さが誤っていると次のリクエストが壊れます。</translation>
    </message>
    <message>
        <source>Check this server&apos;s network settings.</source>
        <translation>このサーバーのネットワーク設定を確認してください。</translation>
    </message>
    <message>
        <source>%1 contains no certificate in PEM form.</source>
        <translation>%1にPEM形式の証明書がありません。</translation>
    </message>
    <message>
        <source>The file must contain a line -----BEGIN CERTIFICATE-----.</source>
        <translation>ファイルには-----BEGIN CERTIFICATE-----の行が必要です。</translation>
    </message>
    <message>
        <source>The private key in %1 has a passphrase, which is not supported.</source>
        <translation>%1の秘密鍵にパスフレーズがありますが、対応していません。</translation>
    </message>
    <message>
        <source>Write it without one, with: openssl pkey -in KEY -out NEWKEY</source>
        <translation>次のコマンドでパスフレーズなしの鍵を書き出してください: openssl pkey -in KEY -out NEWKEY</translation>
    </message>
    <message>
        <source>%1 contains no private key in PEM form.</source>
        <translation>%1にPEM形式の秘密鍵がありません。</translation>
    </message>
    <message>
        <source>RSA, EC and DSA keys are supported.</source>
        <translation>RSA、EC、DSAの鍵に対応しています。</translation>
    </message>
    <message>
        <source>There is a client key, but no client certificate.</source>
        <translation>クライアントの秘密鍵はありますが、クライアント証明書がありません。</translation>
    </message>
    <message>
        <source>“%1” is not a SHA-256 fingerprint.</source>
        <translation>「%1」はSHA-256フィンガープリントではありません。</translation>
    </message>
    <message>
        <source>It has 64 hexadecimal digits; colons between them are optional.</source>
        <translation>64桁の16進数です。間のコロンは省略できます。</translation>
    </message>
    <message>
        <source>“%1” is not a proxy.</source>
        <translation>「%1」はプロキシではありません。</translation>
    </message>
    <message>
        <source>Use system, none, http://HOST:PORT or socks5://HOST:PORT.</source>
        <translation>system、none、http://HOST:PORT、またはsocks5://HOST:PORTを使用してください。</translation>
    </message>
</context>
<context>
    <name>sonde::InputRequest</name>
    <message>
        <source>The result of a server request must be a JSON object.</source>
        <translation>サーバーからのリクエストの結果はJSONオブジェクトである必要があります。</translation>
    </message>
    <message>
        <source>The server request is no longer open.</source>
        <translation>サーバーからのリクエストはもう応答待ちではありません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is an object; forms are flat.</source>
        <translation>&apos;%1&apos;はオブジェクトですが、フォームは入れ子にできません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a list, which forms of revision %2 do not allow.</source>
        <translation>&apos;%1&apos;はリストですが、リビジョン%2のフォームでは許可されていません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a list of strings.</source>
        <translation>&apos;%1&apos;は文字列のリストである必要があります。</translation>
    </message>
    <message>
        <source>The server asks to open a URL, but the client did not declare elicitation.url.</source>
        <translation>サーバーがURLを開くよう求めましたが、クライアントはelicitation.urlを宣言していません。</translation>
    </message>
    <message>
        <source>The server asks to fill in a form, but the client did not declare elicitation.form.</source>
        <translation>サーバーがフォームへの入力を求めましたが、クライアントはelicitation.formを宣言していません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must not use tools as user, nor bring their results as assistant.</source>
        <translation>&apos;%1&apos;は、userとしてツールを使用することも、assistantとしてその結果を返すこともできません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; mixes tool results with other content.</source>
        <translation>&apos;%1&apos;でツールの結果とほかのコンテンツが混在しています。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has results of tools that the previous message did not use.</source>
        <translation>&apos;%1&apos;に、前のメッセージが使用していないツールの結果があります。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must have exactly the results of the tools that the previous message uses.</source>
        <translation>&apos;%1&apos;には、前のメッセージが使用するツールの結果が過不足なく必要です。</translation>
    </message>
    <message>
        <source>The last message uses tools, but their results do not follow.</source>
        <translation>最後のメッセージはツールを使用していますが、その結果が続いていません。</translation>
    </message>
    <message>
        <source>The server wants tools to be used while sampling, but the client did not declare sampling.tools.</source>
        <translation>サーバーがsampling中のツールの使用を求めましたが、クライアントはsampling.toolsを宣言していません。</translation>
    </message>
    <message>
        <source>&apos;content&apos; is allowed only with the action accept.</source>
        <translation>&apos;content&apos;はactionがacceptの場合にのみ許可されます。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a URI that begins with file://; it is %2.</source>
        <translation>&apos;%1&apos;はfile://で始まるURIである必要がありますが、%2です。</translation>
    </message>
    <message>
        <source>A result must be a JSON object; it is %1.</source>
        <translation>resultはJSONオブジェクトである必要がありますが、%1です。</translation>
    </message>
    <message>
        <source>&apos;content&apos; must be one object, not a list, in revision %1.</source>
        <translation>リビジョン%1では、&apos;content&apos;はリストではなく1つのオブジェクトである必要があります。</translation>
    </message>
    <message>
        <source>&apos;content&apos; uses a tool; the request offers none.</source>
        <translation>&apos;content&apos;がツールを使用していますが、リクエストはツールを提供していません。</translation>
    </message>
    <message>
        <source>&apos;content.%1&apos; must not be a list in revision %2.</source>
        <translation>リビジョン%2では、&apos;content.%1&apos;をリストにできません。</translation>
    </message>
    <message>
        <source>URL elicitation: the response must not have &apos;content&apos;.</source>
        <translation>URLのelicitation: レスポンスに&apos;content&apos;があってはなりません。</translation>
    </message>
    <message>
        <source>Form elicitation: the response must have &apos;content&apos;.</source>
        <translation>フォームのelicitation: レスポンスに&apos;content&apos;が必要です。</translation>
    </message>
    <message>
        <source>&apos;content%1&apos; does not match the requestedSchema: %2.</source>
        <translation>&apos;content%1&apos;がrequestedSchemaに適合しません: %2。</translation>
    </message>
</context>
<context>
    <name>sonde::ListenStream</name>
    <message>
        <source>The server did not acknowledge the subscription within %1 s.</source>
        <translation>サーバーは%1 秒以内に購読の確認応答を返しませんでした。</translation>
    </message>
    <message>
        <source>In the acknowledgement, %1</source>
        <translation>確認応答で、%1</translation>
    </message>
    <message>
        <source>an update of %1</source>
        <translation>%1の更新</translation>
    </message>
    <message>
        <source>The server sent %1 before it acknowledged the subscription.</source>
        <translation>サーバーが、購読の確認応答を返す前に%1を送信しました。</translation>
    </message>
    <message>
        <source>The server sent %1, which it had not acknowledged.</source>
        <translation>サーバーが、確認応答していない%1を送信しました。</translation>
    </message>
    <message>
        <source>The server acknowledged this subscription twice.</source>
        <translation>サーバーがこの購読の確認応答を2回返しました。</translation>
    </message>
    <message>
        <source>The server acknowledged more than was requested.</source>
        <translation>サーバーが、要求した以上のものを確認応答しました。</translation>
    </message>
</context>
<context>
    <name>sonde::LoginShell</name>
    <message>
        <source>The login shell %1 did not report its PATH.</source>
        <translation>ログインシェル%1がPATHを報告しませんでした。</translation>
    </message>
    <message>
        <source>Add the folder to PATH in this server&apos;s environment instead.</source>
        <translation>代わりに、このサーバーの環境変数のPATHにフォルダーを追加してください。</translation>
    </message>
</context>
<context>
    <name>sonde::Message</name>
    <message>
        <source>&apos;error&apos; is not an object.</source>
        <translation>&apos;error&apos;がオブジェクトではありません。</translation>
    </message>
    <message>
        <source>&apos;code&apos; is missing in &apos;error&apos;.</source>
        <translation>&apos;error&apos;に&apos;code&apos;がありません。</translation>
    </message>
    <message>
        <source>&apos;code&apos; in &apos;error&apos; is not an integer.</source>
        <translation>&apos;error&apos;の&apos;code&apos;が整数ではありません。</translation>
    </message>
    <message>
        <source>&apos;message&apos; is missing in &apos;error&apos;.</source>
        <translation>&apos;error&apos;に&apos;message&apos;がありません。</translation>
    </message>
    <message>
        <source>&apos;message&apos; in &apos;error&apos; is not a string.</source>
        <translation>&apos;error&apos;の&apos;message&apos;が文字列ではありません。</translation>
    </message>
    <message>
        <source>&apos;id&apos; is null and cannot be matched to a request.</source>
        <translation>&apos;id&apos;がnullのため、リクエストに対応付けられません。</translation>
    </message>
    <message>
        <source>&apos;id&apos; is neither an integer nor a string.</source>
        <translation>&apos;id&apos;が整数でも文字列でもありません。</translation>
    </message>
    <message>
        <source>&apos;id&apos; is not written as an integer: %1.</source>
        <translation>&apos;id&apos;が整数として書かれていません: %1。</translation>
    </message>
    <message>
        <source>The error has no &apos;code&apos;.</source>
        <translation>エラーに&apos;code&apos;がありません。</translation>
    </message>
    <message>
        <source>The error&apos;s &apos;code&apos; is not an integer: %1</source>
        <translation>エラーの&apos;code&apos;が整数ではありません: %1</translation>
    </message>
    <message>
        <source>The error&apos;s &apos;code&apos; is out of range: %1</source>
        <translation>エラーの&apos;code&apos;が範囲外です: %1</translation>
    </message>
    <message>
        <source>Not JSON, at byte %1: %2</source>
        <translation>バイト%1でJSONではありません: %2</translation>
    </message>
    <message>
        <source>JSON, but neither an object nor an array.</source>
        <translation>JSONですが、オブジェクトでも配列でもありません。</translation>
    </message>
    <message>
        <source>An empty array is not a batch.</source>
        <translation>空の配列はバッチではありません。</translation>
    </message>
    <message>
        <source>No element of this array is a JSON-RPC message.</source>
        <translation>この配列の要素はどれもJSON-RPCメッセージではありません。</translation>
    </message>
    <message>
        <source>&apos;jsonrpc&apos; is missing.</source>
        <translation>&apos;jsonrpc&apos;がありません。</translation>
    </message>
    <message>
        <source>&apos;jsonrpc&apos; is not &quot;2.0&quot;.</source>
        <translation>&apos;jsonrpc&apos;が&quot;2.0&quot;ではありません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; occurs more than once; the last one counts.</source>
        <translation>&apos;%1&apos;が複数あります。最後のものが有効です。</translation>
    </message>
    <message>
        <source>None of &apos;method&apos;, &apos;result&apos; and &apos;error&apos; is present.</source>
        <translation>&apos;method&apos;、&apos;result&apos;、&apos;error&apos;のいずれもありません。</translation>
    </message>
    <message>
        <source>&apos;method&apos; is not a string.</source>
        <translation>&apos;method&apos;が文字列ではありません。</translation>
    </message>
    <message>
        <source>&apos;params&apos; is an array; MCP allows objects only.</source>
        <translation>&apos;params&apos;が配列です。MCPではオブジェクトのみ許可されます。</translation>
    </message>
    <message>
        <source>&apos;params&apos; is not an object.</source>
        <translation>&apos;params&apos;がオブジェクトではありません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not allowed together with &apos;method&apos;.</source>
        <translation>&apos;%1&apos;は&apos;method&apos;と同時には許可されません。</translation>
    </message>
    <message>
        <source>Both &apos;result&apos; and &apos;error&apos; are present.</source>
        <translation>&apos;result&apos;と&apos;error&apos;の両方があります。</translation>
    </message>
    <message>
        <source>&apos;id&apos; is missing.</source>
        <translation>&apos;id&apos;がありません。</translation>
    </message>
    <message>
        <source>&apos;result&apos; is not an object.</source>
        <translation>&apos;result&apos;がオブジェクトではありません。</translation>
    </message>
    <message>
        <source>&apos;params&apos; is not allowed in a response.</source>
        <translation>&apos;params&apos;はレスポンスでは許可されません。</translation>
    </message>
    <message>
        <source>The server returned an error without a message.</source>
        <translation>サーバーがメッセージのないエラーを返しました。</translation>
    </message>
    <message>
        <source>Nested deeper than %1 levels, the limit of Sonde. The message is not read.</source>
        <translation>入れ子がSondeの上限である%1 段を超えています。このメッセージは読み取られません。</translation>
    </message>
</context>
<context>
    <name>sonde::MessageReader</name>
    <message>
        <source>A response of %1 or more exceeds the limit of %2.</source>
        <translation>%1以上のレスポンスが上限の%2を超えています。</translation>
    </message>
    <message>
        <source>Ask for less at once, such as a page or a part.</source>
        <translation>ページや一部など、一度に要求する量を減らしてください。</translation>
    </message>
    <message>
        <source>The server returned an empty body.</source>
        <translation>サーバーが空の本文を返しました。</translation>
    </message>
</context>
<context>
    <name>sonde::MessageRules</name>
    <message>
        <source>&apos;%1&apos; must be %2; it is %3.</source>
        <translation>&apos;%1&apos;は%2である必要がありますが、%3です。</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>%1以上</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1～%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be an object; it is %2.</source>
        <translation>&apos;%1&apos;はオブジェクトである必要がありますが、%2です。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing.</source>
        <translation>&apos;%1&apos;がありません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be an array; it is %2.</source>
        <translation>&apos;%1&apos;は配列である必要がありますが、%2です。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 items; at most %3 are allowed.</source>
        <translation>&apos;%1&apos;の要素は%2 個ですが、許可されるのは最大%3 個です。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing; it must be %2.</source>
        <translation>&apos;%1&apos;がありません。%2である必要があります。</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>a boolean</source>
        <translation>ブール値</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>文字列</translation>
    </message>
    <message>
        <source>a string that is not empty</source>
        <translation>空でない文字列</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a string or an integer</source>
        <translation>文字列または整数</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>オブジェクト</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>配列</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1または%2</translation>
    </message>
    <message>
        <source>Servers do not send %1 in revision %2.</source>
        <translation>リビジョン%2では、サーバーは%1を送信しません。</translation>
    </message>
    <message>
        <source>Clients do not send %1 in revision %2.</source>
        <translation>リビジョン%2では、クライアントは%1を送信しません。</translation>
    </message>
    <message>
        <source>Revision %1 has no %2.</source>
        <translation>リビジョン%1に%2はありません。</translation>
    </message>
    <message>
        <source>%1 is a request and needs an &apos;id&apos;.</source>
        <translation>%1はリクエストであり、&apos;id&apos;が必要です。</translation>
    </message>
    <message>
        <source>%1 is a notification and must not have an &apos;id&apos;.</source>
        <translation>%1は通知であり、&apos;id&apos;があってはなりません。</translation>
    </message>
    <message>
        <source>&apos;params&apos; is missing.</source>
        <translation>&apos;params&apos;がありません。</translation>
    </message>
    <message>
        <source>&apos;error.data&apos; is missing.</source>
        <translation>&apos;error.data&apos;がありません。</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>欠落</translation>
    </message>
    <message>
        <source>The client did not declare &apos;%1&apos;.</source>
        <translation>クライアントは&apos;%1&apos;を宣言していません。</translation>
    </message>
    <message>
        <source>Revision %1 has no such request, and the client declared no extension.</source>
        <translation>リビジョン%1にこのようなリクエストはなく、クライアントは拡張を宣言していません。</translation>
    </message>
    <message>
        <source>Before notifications/initialized a server may send no request but ping.</source>
        <translation>notifications/initializedの前にサーバーが送信できるリクエストはpingだけです。</translation>
    </message>
</context>
<context>
    <name>sonde::MockServer</name>
    <message>
        <source>The session does not contain a completed handshake.</source>
        <translation>セッションに完了したハンドシェイクがありません。</translation>
    </message>
    <message>
        <source>Not a single JSON-RPC request: %1</source>
        <translation>単一のJSON-RPCリクエストではありません: %1</translation>
    </message>
    <message>
        <source>The session contains no response to %1 with these params.</source>
        <translation>セッションに、このparamsでの%1へのレスポンスがありません。</translation>
    </message>
    <message>
        <source>The session contains no %1 request.</source>
        <translation>セッションに%1リクエストがありません。</translation>
    </message>
</context>
<context>
    <name>sonde::OAuth</name>
    <message>
        <source>%1 needs the scope %2.</source>
        <translation>%1にはスコープ%2が必要です。</translation>
    </message>
    <message>
        <source>%1 needs the scopes %2.</source>
        <translation>%1にはスコープ%2が必要です。</translation>
    </message>
    <message>
        <source>The server says: “%1”</source>
        <translation>サーバーのメッセージ: 「%1」</translation>
    </message>
    <message>
        <source>No sign-in is in progress.</source>
        <translation>進行中のサインインはありません。</translation>
    </message>
    <message>
        <source>The server&apos;s metadata URL is on another origin that is neither https nor on this computer: %1</source>
        <translation>サーバーのメタデータURLが、httpsでもこのコンピューター上でもない別のオリジンにあります: %1</translation>
    </message>
    <message>
        <source>The server&apos;s operator has to publish it at an https URL, or on the server&apos;s own origin.</source>
        <translation>サーバーの運営者がhttpsのURL、またはサーバー自身のオリジンで公開する必要があります。</translation>
    </message>
    <message>
        <source>The server refuses the token because of its scopes, but does not name the missing one.</source>
        <translation>サーバーはスコープを理由にトークンを拒否しましたが、不足しているスコープを示していません。</translation>
    </message>
    <message>
        <source>The server requires the scope %1, although the token has it.</source>
        <translation>サーバーはスコープ%1を要求していますが、トークンにはすでに含まれています。</translation>
    </message>
    <message>
        <source>The server requires the scopes %1, although the token has them.</source>
        <translation>サーバーはスコープ%1を要求していますが、トークンにはすでに含まれています。</translation>
    </message>
    <message>
        <source>The server requires the scope %1, which the token lacks.</source>
        <translation>サーバーはスコープ%1を要求していますが、トークンに含まれていません。</translation>
    </message>
    <message>
        <source>The server requires the scopes %1, which the token lacks.</source>
        <translation>サーバーはスコープ%1を要求していますが、トークンに含まれていません。</translation>
    </message>
    <message>
        <source>It says: %1</source>
        <translation>メッセージ: %1</translation>
    </message>
    <message>
        <source>Compare the scopes that the server requires with those that %1 grants.</source>
        <translation>サーバーが要求するスコープを、%1が許可するスコープと比較してください。</translation>
    </message>
    <message>
        <source>%1 did not grant it. Only the operator of that authorization server can change this.</source>
        <translation>%1は許可しませんでした。これを変更できるのはその認可サーバーの運営者だけです。</translation>
    </message>
    <message>
        <source>Run sonde-cli login to sign in with the scopes %1.</source>
        <translation>sonde-cli loginを実行し、スコープ%1でサインインしてください。</translation>
    </message>
    <message>
        <source>The server refuses the token that %1 has just issued for it (HTTP %2).</source>
        <translation>%1が発行したばかりのトークンをサーバーが拒否しました (HTTP %2)。</translation>
    </message>
    <message>
        <source>Compare the issuer, audience and scopes of the token with those that the server expects. The server&apos;s operator has to correct the one that differs.</source>
        <translation>トークンの発行者、オーディエンス、スコープを、サーバーが期待するものと比較してください。異なるものはサーバーの運営者が修正する必要があります。</translation>
    </message>
    <message>
        <source>Scopes granted before are still valid. Try again to get more.</source>
        <translation>以前に許可されたスコープは引き続き有効です。さらに取得するには、もう一度試してください。</translation>
    </message>
    <message>
        <source>Not removed: %1</source>
        <translation>削除されませんでした: %1</translation>
    </message>
    <message>
        <source>The tokens were removed</source>
        <translation>トークンは削除されました</translation>
    </message>
    <message>
        <source>The sign-in was cancelled.</source>
        <translation>サインインはキャンセルされました。</translation>
    </message>
</context>
<context>
    <name>sonde::Operations</name>
    <message>
        <source>Matched to the call by request ID.</source>
        <translation>リクエストIDで呼び出しに関連付けました。</translation>
    </message>
    <message>
        <source>Matched to the call by progress token.</source>
        <translation>進捗トークンで呼び出しに関連付けました。</translation>
    </message>
    <message>
        <source>Matched to the call by HTTP stream.</source>
        <translation>HTTPストリームで呼び出しに関連付けました。</translation>
    </message>
    <message>
        <source>Matched to the call by task ID.</source>
        <translation>タスクIDで呼び出しに関連付けました。</translation>
    </message>
    <message>
        <source>Matched to the call by the returned request state.</source>
        <translation>返されたリクエスト状態で呼び出しに関連付けました。</translation>
    </message>
    <message>
        <source>Matched to the only call with these arguments that was waiting for input.</source>
        <translation>これらの引数で入力を待っていた唯一の呼び出しに関連付けました。</translation>
    </message>
    <message>
        <source>Matched to the subscription by ID.</source>
        <translation>IDで購読に関連付けました。</translation>
    </message>
    <message>
        <source>Matched to the call by elicitation ID.</source>
        <translation>elicitation IDで呼び出しに関連付けました。</translation>
    </message>
    <message>
        <source>Assumed to belong to this call; no other call was open.</source>
        <translation>ほかに未完了の呼び出しがなかったため、この呼び出しのものと推定しました。</translation>
    </message>
    <message>
        <source>Ambiguous: several calls were open.</source>
        <translation>あいまい: 未完了の呼び出しが複数ありました。</translation>
    </message>
    <message>
        <source>Ambiguous: several open calls used the same progress token.</source>
        <translation>あいまい: 未完了の複数の呼び出しが同じ進捗トークンを使用していました。</translation>
    </message>
    <message>
        <source>Ambiguous: several tasks have the same ID.</source>
        <translation>あいまい: 複数のタスクが同じIDを持っています。</translation>
    </message>
    <message>
        <source>Ambiguous: several calls were waiting for the same input.</source>
        <translation>あいまい: 複数の呼び出しが同じ入力を待っていました。</translation>
    </message>
    <message>
        <source>Ambiguous: several open calls have an elicitation with this ID.</source>
        <translation>あいまい: 未完了の複数の呼び出しに、このIDのelicitationがあります。</translation>
    </message>
    <message>
        <source>No call used this progress token.</source>
        <translation>この進捗トークンを使用した呼び出しはありません。</translation>
    </message>
    <message>
        <source>No call has a task with this ID.</source>
        <translation>このIDのタスクを持つ呼び出しはありません。</translation>
    </message>
    <message>
        <source>No call was waiting for this input.</source>
        <translation>この入力を待っていた呼び出しはありません。</translation>
    </message>
    <message>
        <source>No call has an elicitation with this ID.</source>
        <translation>このIDのelicitationを持つ呼び出しはありません。</translation>
    </message>
    <message>
        <source>No matching request found.</source>
        <translation>対応するリクエストが見つかりませんでした。</translation>
    </message>
    <message>
        <source>Received on an HTTP stream that belongs to no call.</source>
        <translation>どの呼び出しにも属さないHTTPストリームで受信しました。</translation>
    </message>
    <message>
        <source>No call was open.</source>
        <translation>未完了の呼び出しはありませんでした。</translation>
    </message>
    <message>
        <source>The batch contains messages of several calls or of none; it is not assigned to a call.</source>
        <translation>バッチに複数の呼び出しのメッセージ、またはどの呼び出しにも属さないメッセージが含まれているため、呼び出しに割り当てられません。</translation>
    </message>
</context>
<context>
    <name>sonde::PagedFetch</name>
    <message>
        <source>The connection was closed.</source>
        <translation>接続が閉じられました。</translation>
    </message>
    <message>
        <source>The server refused the cursor of page %1 (-32602): %2</source>
        <translation>サーバーがページ%1のカーソルを拒否しました (-32602): %2</translation>
    </message>
    <message>
        <source>The list may have changed. Refresh it to start again from the first page.</source>
        <translation>一覧が変わった可能性があります。更新して最初のページからやり直してください。</translation>
    </message>
    <message>
        <source>Page %1: %2</source>
        <translation>ページ%1: %2</translation>
    </message>
    <message>
        <source>&apos;nextCursor&apos; is not a string; the list may be incomplete.</source>
        <translation>&apos;nextCursor&apos;が文字列ではないため、一覧が不完全な可能性があります。</translation>
    </message>
    <message>
        <source>The server repeated the cursor &apos;%1&apos;; the list was ended (pages loaded: %2).</source>
        <translation>サーバーがカーソル&apos;%1&apos;を繰り返したため、一覧を終了しました (読み込んだページ数: %2)。</translation>
    </message>
    <message>
        <source>The list was ended at the limit of %1 pages; the server has more.</source>
        <translation>一覧は上限の%1 ページで終了しました。サーバーには続きがあります。</translation>
    </message>
</context>
<context>
    <name>sonde::PostStream</name>
    <message>
        <source>The response does not match this request.</source>
        <translation>レスポンスがこのリクエストに対応していません。</translation>
    </message>
    <message>
        <source>The response stream was lost, and the server refuses to resume it (HTTP %1).</source>
        <translation>レスポンスのストリームが失われ、サーバーが再開を拒否しました (HTTP %1)。</translation>
    </message>
    <message>
        <source>The response stream was lost, and 1 attempt to resume it failed.</source>
        <translation>レスポンスのストリームが失われ、1 回の再開の試行が失敗しました。</translation>
    </message>
    <message>
        <source>The response stream was lost, and %1 attempts to resume it failed.</source>
        <translation>レスポンスのストリームが失われ、%1 回の再開の試行が失敗しました。</translation>
    </message>
    <message>
        <source>The server ended the stream without a response to the request.</source>
        <translation>サーバーがリクエストへのレスポンスなしでストリームを終了しました。</translation>
    </message>
</context>
<context>
    <name>sonde::ProcessExamination</name>
    <message>
        <source>1 program without arguments</source>
        <translation>引数なしの1 個のプログラム</translation>
    </message>
    <message>
        <source>1 program, 1 argument</source>
        <translation>1 個のプログラム、1 個の引数</translation>
    </message>
    <message>
        <source>1 program, %1 arguments</source>
        <translation>1 個のプログラム、%1 個の引数</translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation>は存在しません</translation>
    </message>
    <message>
        <source>is not a directory</source>
        <translation>はディレクトリではありません</translation>
    </message>
    <message>
        <source>cannot be entered: %1</source>
        <translation>には入れません: %1</translation>
    </message>
    <message>
        <source>found in the login shell&apos;s PATH</source>
        <translation>ログインシェルのPATHで見つかりました</translation>
    </message>
    <message>
        <source>found</source>
        <translation>見つかりました</translation>
    </message>
    <message>
        <source>%1 is a directory</source>
        <translation>%1はディレクトリです</translation>
    </message>
    <message>
        <source>%1 is not executable</source>
        <translation>%1は実行可能ではありません</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1は存在しません</translation>
    </message>
    <message>
        <source>not found in 1 directory</source>
        <translation>1 個のディレクトリで見つかりません</translation>
    </message>
    <message>
        <source>not found in %1 directories</source>
        <translation>%1 個のディレクトリで見つかりません</translation>
    </message>
    <message>
        <source>Asking your login shell for its PATH…</source>
        <translation>ログインシェルにPATHを問い合わせています…</translation>
    </message>
    <message>
        <source>Your login shell does not find it either.</source>
        <translation>ログインシェルでも見つかりません。</translation>
    </message>
    <message>
        <source>Your login shell finds it: %1</source>
        <translation>ログインシェルでは見つかります: %1</translation>
    </message>
    <message>
        <source>the first line of the script names no interpreter</source>
        <translation>スクリプトの先頭行にインタープリターの指定がありません</translation>
    </message>
    <message>
        <source>the first line of the script ends with a carriage return (Windows line ends)</source>
        <translation>スクリプトの先頭行が復帰文字で終わっています (Windowsの改行)</translation>
    </message>
    <message>
        <source>the script wants “%1”, which is not a full path</source>
        <translation>スクリプトが求める「%1」は完全なパスではありません</translation>
    </message>
    <message>
        <source>Write “#!/usr/bin/env %1”.</source>
        <translation>「#!/usr/bin/env %1」と書いてください。</translation>
    </message>
    <message>
        <source>env looks for a program with the name “%1”</source>
        <translation>envは「%1」という名前のプログラムを探します</translation>
    </message>
    <message>
        <source>Write “#!/usr/bin/env -S %1”.</source>
        <translation>「#!/usr/bin/env -S %1」と書いてください。</translation>
    </message>
    <message>
        <source>the script wants “%1”, which is not in PATH</source>
        <translation>スクリプトが求める「%1」はPATHにありません</translation>
    </message>
    <message>
        <source>the script wants %1, which cannot be run</source>
        <translation>スクリプトが求める%1は実行できません</translation>
    </message>
    <message>
        <source>native program</source>
        <translation>ネイティブプログラム</translation>
    </message>
    <message>
        <source>asking %1 for its version…</source>
        <translation>%1にバージョンを問い合わせています…</translation>
    </message>
    <message>
        <source>%1 did not report its version (exit code %2)</source>
        <translation>%1はバージョンを報告しませんでした (終了コード%2)</translation>
    </message>
    <message>
        <source>%1 %2 is too old for this program</source>
        <translation>%1 %2はこのプログラムには古すぎます</translation>
    </message>
    <message>
        <source>Install %1 or later, or give the full path of a newer one in the command.</source>
        <translation>%1以降をインストールするか、コマンドで新しいもののフルパスを指定してください。</translation>
    </message>
    <message>
        <source>%1 %2; the official SDK needs %3 or later</source>
        <translation>%1 %2。公式SDKには%3以降が必要です</translation>
    </message>
    <message>
        <source>terminated by %1 (%2)</source>
        <translation>%1により終了 (%2)</translation>
    </message>
    <message>
        <source>exited with code %1 before the handshake</source>
        <translation>ハンドシェイク前にコード%1で終了</translation>
    </message>
    <message>
        <source>process %1 is running</source>
        <translation>プロセス%1が実行中</translation>
    </message>
    <message>
        <source>the process ran</source>
        <translation>プロセスは実行されました</translation>
    </message>
    <message>
        <source>no message on standard output</source>
        <translation>標準出力にメッセージなし</translation>
    </message>
    <message>
        <source>1 message on standard output</source>
        <translation>標準出力に1 件のメッセージ</translation>
    </message>
    <message>
        <source>%1 messages on standard output</source>
        <translation>標準出力に%1 件のメッセージ</translation>
    </message>
    <message>
        <source>1 line that is not a message</source>
        <translation>メッセージではない行が1 行</translation>
    </message>
    <message>
        <source>%1 lines that are not messages</source>
        <translation>メッセージではない行が%1 行</translation>
    </message>
    <message>
        <source>nothing on standard error</source>
        <translation>標準エラー出力なし</translation>
    </message>
    <message>
        <source>1 line on standard error</source>
        <translation>標準エラー出力に1 行</translation>
    </message>
    <message>
        <source>%1 lines on standard error</source>
        <translation>標準エラー出力に%1 行</translation>
    </message>
    <message>
        <source>It reports that it listens at %1, so it may use HTTP rather than stdio. Start it yourself and add that URL as a server, or add the argument that makes it use stdio.</source>
        <translation>%1で待ち受けていると報告しているため、stdioではなくHTTPを使用している可能性があります。自分で起動してそのURLをサーバーとして追加するか、stdioを使用させる引数を追加してください。</translation>
    </message>
    <message>
        <source>terminated by %1 (%2) after the handshake</source>
        <translation>ハンドシェイクの後に %1 (%2) で終了</translation>
    </message>
    <message>
        <source>exited with code %1 after the handshake</source>
        <translation>ハンドシェイクの後にコード %1 で終了</translation>
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
        <translation>バイト0x%1</translation>
    </message>
    <message>
        <source>The data is not a string.</source>
        <translation>データが文字列ではありません。</translation>
    </message>
    <message>
        <source>The data is missing.</source>
        <translation>データがありません。</translation>
    </message>
    <message>
        <source>Character %1 (%2) is not valid base64.</source>
        <translation>%1 文字目 (%2) は有効なbase64ではありません。</translation>
    </message>
    <message>
        <source>Character %1 (%2) belongs to the base64url alphabet.</source>
        <translation>%1 文字目 (%2) はbase64urlの文字です。</translation>
    </message>
    <message>
        <source>Data after the padding, at character %1.</source>
        <translation>パディングの後の%1 文字目にデータがあります。</translation>
    </message>
    <message>
        <source>The data ends in the middle of a byte; it may be truncated.</source>
        <translation>データがバイトの途中で終わっています。切り詰められている可能性があります。</translation>
    </message>
    <message>
        <source>Incorrect &apos;=&apos; padding.</source>
        <translation>&apos;=&apos;のパディングが正しくありません。</translation>
    </message>
    <message>
        <source>The last character has unused bits that are not zero.</source>
        <translation>最後の文字の未使用ビットがゼロではありません。</translation>
    </message>
    <message>
        <source>The server sent no URL.</source>
        <translation>サーバーはURLを送信しませんでした。</translation>
    </message>
    <message>
        <source>Not opened: the URL is longer than %1 characters.</source>
        <translation>開きませんでした: URLが%1 文字を超えています。</translation>
    </message>
    <message>
        <source>Not opened: the URL contains spaces, backslashes or invisible characters.</source>
        <translation>開きませんでした: URLに空白、バックスラッシュ、または不可視文字が含まれています。</translation>
    </message>
    <message>
        <source>Not opened: this is not a valid URL.</source>
        <translation>開きませんでした: 有効なURLではありません。</translation>
    </message>
    <message>
        <source>Not opened: the scheme “%1” is not https.</source>
        <translation>開きませんでした: スキーム「%1」がhttpsではありません。</translation>
    </message>
    <message>
        <source>Not opened: the URL has no host.</source>
        <translation>開きませんでした: URLにホストがありません。</translation>
    </message>
    <message>
        <source>Not opened: http is allowed to this computer only; others need https.</source>
        <translation>開きませんでした: httpが許可されるのはこのコンピューターに対してのみです。ほかではhttpsが必要です。</translation>
    </message>
    <message>
        <source>Not opened: the text before “@” is a user name; the host is %1.</source>
        <translation>開きませんでした: 「@」の前のテキストはユーザー名で、ホストは%1です。</translation>
    </message>
    <message>
        <source>Not opened: the host mixes letters of different alphabets that look alike.</source>
        <translation>開きませんでした: ホストに、見た目の似た異なるアルファベットの文字が混在しています。</translation>
    </message>
    <message>
        <source>The host is an internationalized name (%1). It may look like another one.</source>
        <translation>ホストは国際化名 (%1) です。別のホストに見える可能性があります。</translation>
    </message>
    <message>
        <source>The host is an IP address.</source>
        <translation>ホストはIPアドレスです。</translation>
    </message>
    <message>
        <source>Unusual port: %1.</source>
        <translation>通常と異なるポート: %1。</translation>
    </message>
    <message>
        <source>The URL is unusually long.</source>
        <translation>URLが異常に長くなっています。</translation>
    </message>
    <message>
        <source>Out of memory for a message of %1.</source>
        <translation>%1のメッセージにはメモリが足りません。</translation>
    </message>
    <message>
        <source>Request less data at once, or close other sessions and programs.</source>
        <translation>一度に要求するデータを減らすか、ほかのセッションやプログラムを閉じてください。</translation>
    </message>
    <message>
        <source>Parse error: the receiver could not read the message as JSON.</source>
        <translation>解析エラー: 受信側がメッセージをJSONとして読み取れませんでした。</translation>
    </message>
    <message>
        <source>Invalid request: the message is not a valid JSON-RPC request, or not allowed now.</source>
        <translation>無効なリクエスト: メッセージが有効なJSON-RPCリクエストではないか、現在は許可されていません。</translation>
    </message>
    <message>
        <source>Method not found: the receiver does not implement this method.</source>
        <translation>メソッドが見つかりません: 受信側はこのメソッドを実装していません。</translation>
    </message>
    <message>
        <source>Invalid params: the receiver rejected the parameters.</source>
        <translation>無効なparams: 受信側がパラメーターを拒否しました。</translation>
    </message>
    <message>
        <source>Internal error: the receiver failed while handling the request.</source>
        <translation>内部エラー: 受信側でリクエストの処理中に障害が発生しました。</translation>
    </message>
    <message>
        <source>Resource not found.</source>
        <translation>リソースが見つかりません。</translation>
    </message>
    <message>
        <source>URL elicitation required: the server requires the user to open a URL first.</source>
        <translation>URLのelicitationが必要: サーバーは、ユーザーが先にURLを開くことを要求しています。</translation>
    </message>
    <message>
        <source>Header mismatch: a server of revision 2026-07-28 or later requires HTTP headers that match the message.</source>
        <translation>ヘッダーの不一致: リビジョン2026-07-28以降のサーバーは、メッセージと一致するHTTPヘッダーを要求します。</translation>
    </message>
    <message>
        <source>The server requires a capability that the client did not declare.</source>
        <translation>サーバーは、クライアントが宣言していないケイパビリティを要求しています。</translation>
    </message>
    <message>
        <source>Unsupported protocol revision.</source>
        <translation>対応していないプロトコルリビジョンです。</translation>
    </message>
    <message>
        <source>Server-defined error.</source>
        <translation>サーバー定義のエラーです。</translation>
    </message>
    <message>
        <source>Reserved error code.</source>
        <translation>予約済みのエラーコードです。</translation>
    </message>
    <message>
        <source>the schema&apos;s root</source>
        <translation>スキーマのルート</translation>
    </message>
    <message>
        <source>The x-mcp-header of %1 is not a name for an HTTP header: %2</source>
        <translation>%1のx-mcp-headerはHTTPヘッダーの名前ではありません: %2</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” (%2) is not on a property that every call can have.</source>
        <translation>x-mcp-header「%1」(%2) は、すべての呼び出しが持ちうるプロパティにありません。</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” (%2) is on a property that is not a string, an integer or a boolean.</source>
        <translation>x-mcp-header「%1」(%2) は、文字列、整数、ブール値のいずれでもないプロパティにあります。</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” is used more than once.</source>
        <translation>x-mcp-header「%1」が複数回使用されています。</translation>
    </message>
    <message>
        <source>Invalid URI template at character %1: %2</source>
        <translation>%1 文字目で無効なURIテンプレート: %2</translation>
    </message>
    <message>
        <source>the operator “%1” is reserved.</source>
        <translation>演算子「%1」は予約されています。</translation>
    </message>
    <message>
        <source>the expression is not closed.</source>
        <translation>式が閉じられていません。</translation>
    </message>
    <message>
        <source>unexpected “%1”.</source>
        <translation>予期しない「%1」です。</translation>
    </message>
    <message>
        <source>the prefix length must be from 1 to 9999.</source>
        <translation>プレフィックスの長さは1～9999である必要があります。</translation>
    </message>
    <message>
        <source>unmatched “}”.</source>
        <translation>対応する「{」のない「}」です。</translation>
    </message>
    <message>
        <source>“%1:%2” takes a prefix of a string, but the value is a list.</source>
        <translation>「%1:%2」は文字列のプレフィックスを取りますが、値はリストです。</translation>
    </message>
    <message>
        <source>‹empty›</source>
        <translation>‹空›</translation>
    </message>
    <message>
        <source>‹%1 spaces›</source>
        <translation>‹空白%1 個›</translation>
    </message>
    <message>
        <source>The address points to this computer.</source>
        <translation>アドレスはこのコンピューターを指しています。</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayJudge</name>
    <message>
        <source>A result before, a JSON-RPC error after.</source>
        <translation>前は結果、後はJSON-RPCエラーです。</translation>
    </message>
    <message>
        <source>A JSON-RPC error before, a result after.</source>
        <translation>前はJSON-RPCエラー、後は結果です。</translation>
    </message>
    <message>
        <source>A different JSON-RPC error.</source>
        <translation>異なるJSON-RPCエラーです。</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayRules</name>
    <message>
        <source>&apos;%1&apos; is not a JSON pointer: it must begin with /</source>
        <translation>&apos;%1&apos;はJSONポインターではありません: /で始まる必要があります</translation>
    </message>
    <message>
        <source>a rule needs a pointer, a pattern or a regex</source>
        <translation>ルールにはpointer、pattern、またはregexが必要です</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a valid regular expression: %2, at character %3</source>
        <translation>&apos;%1&apos;は有効な正規表現ではありません: %2 (%3 文字目)</translation>
    </message>
    <message>
        <source>the regex is empty</source>
        <translation>regexが空です</translation>
    </message>
    <message>
        <source>a rule is not a JSON object</source>
        <translation>ルールがJSONオブジェクトではありません</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a string</source>
        <translation>&apos;%1&apos;が文字列ではありません</translation>
    </message>
    <message>
        <source>a rule can have either a pattern or a regex</source>
        <translation>ルールに指定できるのはpatternかregexのどちらか一方です</translation>
    </message>
    <message>
        <source>unknown pattern &apos;%1&apos;; patterns are timestamp and uuid</source>
        <translation>不明なpattern &apos;%1&apos;。patternはtimestampとuuidです</translation>
    </message>
    <message>
        <source>unknown member &apos;%1&apos; in a rule</source>
        <translation>ルールに不明なメンバー&apos;%1&apos;があります</translation>
    </message>
    <message>
        <source>%1 is not JSON: %2</source>
        <translation>%1はJSONではありません: %2</translation>
    </message>
    <message>
        <source>%1 contains no rules: expected an object with a list &apos;ignore&apos;</source>
        <translation>%1にルールがありません: リスト&apos;ignore&apos;を持つオブジェクトが必要です</translation>
    </message>
    <message>
        <source>the rules are not a list</source>
        <translation>ルールがリストではありません</translation>
    </message>
    <message>
        <source>rule %1: %2</source>
        <translation>ルール%1: %2</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayRun</name>
    <message>
        <source>The session is damaged at byte %1: %2 The readable part is replayed.</source>
        <translation>セッションはバイト%1で破損しています: %2読み取れる部分をリプレイします。</translation>
    </message>
    <message>
        <source>There is not enough memory to read the recording.</source>
        <translation>記録を読み取るにはメモリが足りません。</translation>
    </message>
    <message>
        <source>The server closed the connection.</source>
        <translation>サーバーが接続を閉じました。</translation>
    </message>
    <message>
        <source>The replay was stopped before it started.</source>
        <translation>リプレイは開始前に停止されました。</translation>
    </message>
    <message>
        <source>The new responses are accepted as the baseline.</source>
        <translation>新しいレスポンスがベースラインとして採用されました。</translation>
    </message>
    <message>
        <source>The replay has not finished.</source>
        <translation>リプレイは完了していません。</translation>
    </message>
    <message>
        <source>No calls were made.</source>
        <translation>呼び出しは行われませんでした。</translation>
    </message>
    <message>
        <source>The session is damaged; the unreadable part would be lost.</source>
        <translation>セッションが破損しているため、読み取れない部分が失われます。</translation>
    </message>
    <message>
        <source>Only some of the calls were made; a baseline needs all of them.</source>
        <translation>一部の呼び出ししか行われていません。ベースラインにはすべての呼び出しが必要です。</translation>
    </message>
    <message>
        <source>%1 records of this run were not stored. A session of no more than %2 bytes is recorded now.</source>
        <translation>この実行の%1 件のレコードが保存されませんでした。現在記録されるのは%2 バイトまでのセッションです。</translation>
    </message>
    <message>
        <source>Not every call with a recorded response got a response now.</source>
        <translation>レスポンスが記録されている呼び出しの一部に、今回レスポンスがありませんでした。</translation>
    </message>
    <message>
        <source>The session is still being recorded; only a finished session can be replaced.</source>
        <translation>セッションはまだ記録中です。置き換えられるのは終了したセッションだけです。</translation>
    </message>
    <message>
        <source>The new responses could not be recorded.</source>
        <translation>新しいレスポンスを記録できませんでした。</translation>
    </message>
    <message>
        <source>The server is still shutting down.</source>
        <translation>サーバーはまだシャットダウン中です。</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>メモリが足りません。</translation>
    </message>
</context>
<context>
    <name>sonde::Replayer</name>
    <message>
        <source>Not sent: the server did not start. %1</source>
        <translation>送信されませんでした: サーバーが起動しませんでした。%1</translation>
    </message>
    <message>
        <source>Not sent: the server could not be reached. %1</source>
        <translation>送信されませんでした: サーバーに到達できませんでした。%1</translation>
    </message>
    <message>
        <source>The connection to the server was lost: %1</source>
        <translation>サーバーへの接続が失われました: %1</translation>
    </message>
    <message>
        <source>The connection to the server is closed.</source>
        <translation>サーバーへの接続は閉じられています。</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>レスポンスは記録されていません。</translation>
    </message>
    <message>
        <source>The tool may change or delete data; it was not allowed to run.</source>
        <translation>ツールはデータを変更または削除する可能性があり、実行が許可されませんでした。</translation>
    </message>
    <message>
        <source>Skipped by you.</source>
        <translation>スキップしました。</translation>
    </message>
    <message>
        <source>The recorded request contains a redacted secret and cannot be sent again.</source>
        <translation>記録されたリクエストにはマスクされたシークレットが含まれるため、再送信できません。</translation>
    </message>
    <message>
        <source>The list now has fewer pages.</source>
        <translation>一覧のページ数が減っています。</translation>
    </message>
    <message>
        <source>The connection&apos;s own handshake was not recorded.</source>
        <translation>接続自体のハンドシェイクは記録されていません。</translation>
    </message>
    <message>
        <source>The replay was stopped.</source>
        <translation>リプレイは停止されました。</translation>
    </message>
    <message>
        <source>Server request changed: %1</source>
        <translation>サーバーからのリクエストの変更: %1</translation>
    </message>
    <message>
        <source>New server request: %1</source>
        <translation>新しいサーバーからのリクエスト: %1</translation>
    </message>
    <message>
        <source>Server request missing: %1</source>
        <translation>サーバーからのリクエストの欠落: %1</translation>
    </message>
    <message>
        <source>No response was sent; the recorded one contains a redacted secret: %1</source>
        <translation>レスポンスは送信されませんでした。記録されたものにマスクされたシークレットが含まれています: %1</translation>
    </message>
    <message>
        <source>There are more differences.</source>
        <translation>ほかにも差異があります。</translation>
    </message>
</context>
<context>
    <name>sonde::Revocation</name>
    <message>
        <source>Revoked at %1</source>
        <translation>%1で失効済み</translation>
    </message>
    <message>
        <source>%1 does not offer revocation; the tokens remain valid there until they expire</source>
        <translation>%1は失効に対応していないため、トークンは期限切れまで有効です</translation>
    </message>
    <message>
        <source>The tokens were not revoked. %1</source>
        <translation>トークンは失効していません。%1</translation>
    </message>
    <message>
        <source>They remain valid at the authorization server until they expire.</source>
        <translation>トークンは認可サーバーで期限切れまで有効です。</translation>
    </message>
</context>
<context>
    <name>sonde::SavedCall</name>
    <message>
        <source>The folder %1 cannot be read.</source>
        <translation>フォルダー%1を読み取れません。</translation>
    </message>
    <message>
        <source>%1 has more saved calls than are shown.</source>
        <translation>%1には、表示しきれない保存済みの呼び出しがあります。</translation>
    </message>
    <message>
        <source>“%1” was not imported: %2</source>
        <translation>「%1」はインポートされませんでした: %2</translation>
    </message>
    <message>
        <source>it has no JSON as its body.</source>
        <translation>本文にJSONがありません。</translation>
    </message>
    <message>
        <source>Only the first %1 folders and requests were read.</source>
        <translation>最初の%1 件のフォルダーとリクエストだけを読み取りました。</translation>
    </message>
    <message>
        <source>Set these environment variables before running them: %1.</source>
        <translation>実行する前に、次の環境変数を設定してください: %1。</translation>
    </message>
    <message>
        <source>Scripts, such as tests, are not imported.</source>
        <translation>テストなどのスクリプトはインポートされません。</translation>
    </message>
    <message>
        <source>%1 is an MCP client of Insomnia, which has no calls in it.</source>
        <translation>%1はInsomniaのMCPクライアントで、呼び出しを含みません。</translation>
    </message>
    <message>
        <source>%1 is YAML.</source>
        <translation>%1はYAMLです。</translation>
    </message>
    <message>
        <source>Export it as JSON: Insomnia 4, or a Postman collection 2.1.</source>
        <translation>JSONとしてエクスポートしてください: Insomnia 4、またはPostmanコレクション2.1。</translation>
    </message>
    <message>
        <source>%1 is not JSON.</source>
        <translation>%1はJSONではありません。</translation>
    </message>
    <message>
        <source>“%1” has what looks like a secret in its arguments: put ${env:NAME} or ${keychain:NAME} in its place before you share the file.</source>
        <translation>「%1」の引数にシークレットと思われる値があります。ファイルを共有する前に、${env:NAME}または${keychain:NAME}に置き換えてください。</translation>
    </message>
    <message>
        <source>%1 is a list of servers, without calls.</source>
        <translation>%1は呼び出しを含まないサーバーの一覧です。</translation>
    </message>
    <message>
        <source>Import it as servers.</source>
        <translation>サーバーとしてインポートしてください。</translation>
    </message>
    <message>
        <source>Collections of Postman, Insomnia and Hoppscotch, and what MCP Inspector exports, can be read.</source>
        <translation>Postman、Insomnia、Hoppscotchのコレクションと、MCP Inspectorのエクスポートを読み取れます。</translation>
    </message>
    <message>
        <source>The error is not the expected one</source>
        <translation>エラーが期待したものではありません</translation>
    </message>
    <message>
        <source>The result differs from the expected one</source>
        <translation>結果が期待したものではありません</translation>
    </message>
    <message>
        <source>No response: %1</source>
        <translation>レスポンスなし: %1</translation>
    </message>
    <message>
        <source>Expected %1, got %2</source>
        <translation>%1を期待しましたが、%2でした</translation>
    </message>
    <message>
        <source>Took %1 ms, expected at most %2 ms</source>
        <translation>%1 msかかりましたが、期待は最大%2 msです</translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation>送信されませんでした: %1</translation>
    </message>
    <message>
        <source>There are more differences.</source>
        <translation>ほかにも差異があります。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a placeholder</source>
        <translation>&apos;%1&apos;はプレースホルダーではありません</translation>
    </message>
    <message>
        <source>Placeholders are ${keychain:NAME}, ${env:NAME} and ${calls.NAME.result/POINTER}. To send the text as it is, write $${ instead of ${.</source>
        <translation>プレースホルダーは${keychain:NAME}、${env:NAME}、${calls.NAME.result/POINTER}です。テキストをそのまま送信するには、${の代わりに$${と書いてください。</translation>
    </message>
    <message>
        <source>%1, line %2 is not JSON: %3</source>
        <translation>%1、行%2がJSONではありません: %3</translation>
    </message>
    <message>
        <source>%1 is not a saved call: it is not a JSON object.</source>
        <translation>%1は保存済みの呼び出しではありません: JSONオブジェクトではありません。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a string that is not empty.</source>
        <translation>&apos;%1&apos;は空でない文字列である必要があります。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be the name of a saved call.</source>
        <translation>&apos;%1&apos;は保存済みの呼び出しの名前にできません。</translation>
    </message>
    <message>
        <source>A name is not empty and has none of / { } in it.</source>
        <translation>名前は空にできず、/ { }を含められません。</translation>
    </message>
    <message>
        <source>&apos;tool&apos; is missing.</source>
        <translation>&apos;tool&apos;がありません。</translation>
    </message>
    <message>
        <source>A saved call has the name of a tool, such as &quot;tool&quot;: &quot;search&quot;.</source>
        <translation>保存済みの呼び出しには、&quot;tool&quot;: &quot;search&quot;のようなツールの名前が必要です。</translation>
    </message>
    <message>
        <source>&apos;arguments&apos; must be an object.</source>
        <translation>&apos;arguments&apos;はオブジェクトである必要があります。</translation>
    </message>
    <message>
        <source>&apos;expect&apos; must be an object.</source>
        <translation>&apos;expect&apos;はオブジェクトである必要があります。</translation>
    </message>
    <message>
        <source>A protocol error has no result.</source>
        <translation>プロトコルエラーに結果はありません。</translation>
    </message>
    <message>
        <source>Write &quot;error&quot; instead of &quot;result&quot;, or another outcome.</source>
        <translation>&quot;result&quot;の代わりに&quot;error&quot;と書くか、別のoutcomeを書いてください。</translation>
    </message>
    <message>
        <source>&apos;error&apos; needs the outcome protocol-error.</source>
        <translation>&apos;error&apos;にはoutcomeのprotocol-errorが必要です。</translation>
    </message>
    <message>
        <source>Add &quot;outcome&quot;: &quot;protocol-error&quot;.</source>
        <translation>&quot;outcome&quot;: &quot;protocol-error&quot;を追加してください。</translation>
    </message>
    <message>
        <source>&apos;maxDurationMs&apos; must be a whole number of milliseconds above 0.</source>
        <translation>&apos;maxDurationMs&apos;は0より大きい整数のミリ秒数である必要があります。</translation>
    </message>
    <message>
        <source>&apos;outcome&apos; must be ok, tool-error or protocol-error.</source>
        <translation>&apos;outcome&apos;はok、tool-error、protocol-errorのいずれかである必要があります。</translation>
    </message>
    <message>
        <source>%1 is larger than the %2 MiB that a saved call may have.</source>
        <translation>%1は、保存済みの呼び出しに許される%2 MiBを超えています。</translation>
    </message>
    <message>
        <source>Enter a name.</source>
        <translation>名前を入力してください。</translation>
    </message>
    <message>
        <source>A name has none of / { } in it and does not begin with a dot.</source>
        <translation>名前に/ { }を含めたり、名前をドットで始めたりすることはできません。</translation>
    </message>
    <message>
        <source>The name is too long.</source>
        <translation>名前が長すぎます。</translation>
    </message>
    <message>
        <source>a result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>a tool error</source>
        <translation>ツールエラー</translation>
    </message>
    <message>
        <source>a protocol error</source>
        <translation>プロトコルエラー</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>レスポンスなし</translation>
    </message>
    <message>
        <source>%1: %2 needs the result of the saved call &apos;%3&apos;, which is not run before it.</source>
        <translation>%1: %2には保存済みの呼び出し&apos;%3&apos;の結果が必要ですが、先に実行されません。</translation>
    </message>
    <message>
        <source>Run it in the same command, in a file before this one.</source>
        <translation>同じコマンドで、これより前のファイルとして実行してください。</translation>
    </message>
    <message>
        <source>%1 and %2 are both named &apos;%3&apos;.</source>
        <translation>%1と%2はどちらも名前が&apos;%3&apos;です。</translation>
    </message>
    <message>
        <source>Give each its own &quot;name&quot;.</source>
        <translation>それぞれに固有の&quot;name&quot;を付けてください。</translation>
    </message>
    <message>
        <source>its body is not a JSON object.</source>
        <translation>本文がJSONオブジェクトではありません。</translation>
    </message>
    <message>
        <source>its body is not a JSON-RPC request.</source>
        <translation>本文がJSON-RPCリクエストではありません。</translation>
    </message>
    <message>
        <source>%1 is not a tool call.</source>
        <translation>%1はツール呼び出しではありません。</translation>
    </message>
    <message>
        <source>it is not an HTTP request.</source>
        <translation>HTTPリクエストではありません。</translation>
    </message>
    <message>
        <source>1 other message is not a tool call.</source>
        <translation>ほかの1 件のメッセージはツール呼び出しではありません。</translation>
    </message>
    <message>
        <source>%1 other messages are not tool calls.</source>
        <translation>ほかの%1 件のメッセージはツール呼び出しではありません。</translation>
    </message>
    <message>
        <source>%1 is not an export with tool calls.</source>
        <translation>%1はツール呼び出しを含むエクスポートではありません。</translation>
    </message>
</context>
<context>
    <name>sonde::Secrets</name>
    <message>
        <source>Access to the keychain was refused.</source>
        <translation>キーチェーンへのアクセスが拒否されました。</translation>
    </message>
    <message>
        <source>Sonde could not unlock the keychain.</source>
        <translation>Sondeはキーチェーンのロックを解除できませんでした。</translation>
    </message>
    <message>
        <source>There is no keychain on this computer.</source>
        <translation>このコンピューターにキーチェーンがありません。</translation>
    </message>
    <message>
        <source>The keychain cannot be used.</source>
        <translation>キーチェーンを使用できません。</translation>
    </message>
    <message>
        <source>Unlock the keychain, or start a service that provides one, such as GNOME Keyring or KWallet.</source>
        <translation>キーチェーンのロックを解除するか、GNOME KeyringやKWalletなど、キーチェーンを提供するサービスを起動してください。</translation>
    </message>
    <message>
        <source>The keychain did not respond in time.</source>
        <translation>キーチェーンが時間内に応答しませんでした。</translation>
    </message>
    <message>
        <source>It may be waiting for its password in another window.</source>
        <translation>別のウィンドウでパスワードの入力を待っている可能性があります。</translation>
    </message>
    <message>
        <source>The keychain has no value named “%1”.</source>
        <translation>キーチェーンに「%1」という名前の値はありません。</translation>
    </message>
    <message>
        <source>Enter the value again in this server&apos;s settings, and unlock the keychain.</source>
        <translation>このサーバーの設定で値をもう一度入力し、キーチェーンのロックを解除してください。</translation>
    </message>
</context>
<context>
    <name>sonde::Server</name>
    <message>
        <source>The last argument is not a JSON object.</source>
        <translation>最後の引数がJSONオブジェクトではありません。</translation>
    </message>
    <message>
        <source>The option %1 has no value.</source>
        <translation>オプション%1に値がありません。</translation>
    </message>
    <message>
        <source>Unknown option %1. Put “--” before the command of the server.</source>
        <translation>不明なオプション%1。サーバーのコマンドの前に「--」を付けてください。</translation>
    </message>
    <message>
        <source>“%1” is not a port.</source>
        <translation>「%1」はポートではありません。</translation>
    </message>
    <message>
        <source>“%1” is not NAME=value.</source>
        <translation>「%1」はNAME=valueではありません。</translation>
    </message>
    <message>
        <source>“%1” is not a header: Name: value.</source>
        <translation>「%1」はヘッダーではありません: Name: value。</translation>
    </message>
    <message>
        <source>The command does not say which server to add, or how to start it.</source>
        <translation>コマンドに、追加するサーバーやその起動方法が示されていません。</translation>
    </message>
    <message>
        <source>“%1” after the URL is not understood.</source>
        <translation>URLの後の「%1」を解釈できません。</translation>
    </message>
    <message>
        <source>The text contains several commands that add a server.</source>
        <translation>テキストに、サーバーを追加するコマンドが複数あります。</translation>
    </message>
    <message>
        <source>Enter one command at a time.</source>
        <translation>コマンドは一度に1つ入力してください。</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>プログラム</translation>
    </message>
    <message>
        <source>Argument %1</source>
        <translation>引数%1</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>作業ディレクトリ</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>変数</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>URL: %1</source>
        <translation>URL: %1</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>ヘッダー</translation>
    </message>
    <message>
        <source>Sign-in: %1</source>
        <translation>サインイン: %1</translation>
    </message>
    <message>
        <source>Network: %1</source>
        <translation>ネットワーク: %1</translation>
    </message>
    <message>
        <source>all of Sonde&apos;s own variables</source>
        <translation>Sonde自身のすべての変数</translation>
    </message>
    <message>
        <source>PATH of the login shell</source>
        <translation>ログインシェルのPATH</translation>
    </message>
    <message>
        <source>before</source>
        <translation>以前</translation>
    </message>
    <message>
        <source>now</source>
        <translation>現在</translation>
    </message>
    <message>
        <source>now, with another secret</source>
        <translation>現在、シークレットも別</translation>
    </message>
    <message>
        <source>another secret than before</source>
        <translation>以前とは別のシークレット</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新規</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>The approval cannot be remembered. %1</source>
        <translation>承認を記憶できません。%1</translation>
    </message>
    <message>
        <source>Sonde asks again at the next start.</source>
        <translation>次回の起動時にSondeがもう一度確認します。</translation>
    </message>
    <message>
        <source>Inherits</source>
        <translation>継承</translation>
    </message>
    <message>
        <source>Sonde&apos;s full environment</source>
        <translation>Sondeの環境すべて</translation>
    </message>
    <message>
        <source>PATH</source>
        <translation>PATH</translation>
    </message>
    <message>
        <source>that of the login shell</source>
        <translation>ログインシェルのもの</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>プロキシ</translation>
    </message>
    <message>
        <source>CA file</source>
        <translation>CAファイル</translation>
    </message>
    <message>
        <source>Client certificate</source>
        <translation>クライアント証明書</translation>
    </message>
    <message>
        <source>Client key</source>
        <translation>クライアントの秘密鍵</translation>
    </message>
    <message>
        <source>Trusts certificate</source>
        <translation>信頼する証明書</translation>
    </message>
    <message>
        <source>Allowed host</source>
        <translation>許可するホスト</translation>
    </message>
    <message>
        <source>Root</source>
        <translation>Root</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>リビジョン</translation>
    </message>
    <message>
        <source>Not declared</source>
        <translation>宣言しない</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>一覧</translation>
    </message>
    <message>
        <source>one page at a time</source>
        <translation>1ページずつ</translation>
    </message>
    <message>
        <source>Issuer</source>
        <translation>発行者</translation>
    </message>
    <message>
        <source>Client ID</source>
        <translation>クライアントID</translation>
    </message>
    <message>
        <source>Client secret</source>
        <translation>クライアントシークレット</translation>
    </message>
    <message>
        <source>Redirect URL</source>
        <translation>リダイレクトURL</translation>
    </message>
    <message>
        <source>Client metadata</source>
        <translation>クライアントメタデータ</translation>
    </message>
    <message>
        <source>Private key</source>
        <translation>秘密鍵</translation>
    </message>
    <message>
        <source>Key algorithm</source>
        <translation>鍵のアルゴリズム</translation>
    </message>
    <message>
        <source>Token URL</source>
        <translation>トークンURL</translation>
    </message>
    <message>
        <source>Provider client ID</source>
        <translation>プロバイダーのクライアントID</translation>
    </message>
    <message>
        <source>ID token</source>
        <translation>IDトークン</translation>
    </message>
    <message>
        <source>Assertion</source>
        <translation>アサーション</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>問題</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>トランスポート</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>プロジェクト</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>注記</translation>
    </message>
    <message>
        <source>Kept, but not used by Sonde: %1.</source>
        <translation>保持されますが、Sondeでは使用されません: %1。</translation>
    </message>
    <message>
        <source>Left out, since Sonde does not use them: the secrets in %1.</source>
        <translation>Sondeが使用しないため除外しました: %1のシークレット。</translation>
    </message>
    <message>
        <source>The entry is not a JSON object.</source>
        <translation>エントリがJSONオブジェクトではありません。</translation>
    </message>
    <message>
        <source>Given more than once; the last one counts: %1.</source>
        <translation>複数回指定されています。最後のものが有効です: %1。</translation>
    </message>
    <message>
        <source>A Zed extension starts this server; the file does not say how.</source>
        <translation>このサーバーはZedの拡張機能が起動します。ファイルには起動方法が示されていません。</translation>
    </message>
    <message>
        <source>“envFile” is not read. Add the variables that the server needs.</source>
        <translation>「envFile」は読み取られません。サーバーに必要な変数を追加してください。</translation>
    </message>
    <message>
        <source>Codex passes on the variables of “env_vars”. Add those that the server needs.</source>
        <translation>Codexは「env_vars」の変数を渡します。サーバーに必要なものを追加してください。</translation>
    </message>
    <message>
        <source>Not taken over: the reference to Sonde&apos;s keychain in %1. Only Sonde itself writes such references; enter the value.</source>
        <translation>引き継がれませんでした: %1にあるSondeのキーチェーンへの参照。このような参照を書き込むのはSonde自身だけです。値を入力してください。</translation>
    </message>
    <message>
        <source>%1 in %2 is read from Sonde&apos;s environment when the server starts.</source>
        <translation>%2の%1は、サーバーの起動時にSondeの環境から読み取られます。</translation>
    </message>
    <message>
        <source>%1 in %2 is not replaced by Sonde. Enter the value before you connect.</source>
        <translation>%2の%1はSondeでは置き換えられません。接続する前に値を入力してください。</translation>
    </message>
    <message>
        <source> It stands for: %1</source>
        <translation> これは次を表します: %1</translation>
    </message>
    <message>
        <source>An argument, the URL or the proxy contains a secret. It is saved in the list of servers as plain text.</source>
        <translation>引数、URL、またはプロキシにシークレットが含まれています。サーバーの一覧にプレーンテキストとして保存されます。</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1が空です。</translation>
    </message>
    <message>
        <source>%1 is not valid %2 at line %3, column %4: %5</source>
        <translation>%1は有効な%2ではありません (行%3、列%4): %5</translation>
    </message>
    <message>
        <source> (in the entry “%1”)</source>
        <translation> (エントリ「%1」内)</translation>
    </message>
    <message>
        <source>Fix it in the program that uses it, then import it again.</source>
        <translation>それを使用するプログラムで修正してから、もう一度インポートしてください。</translation>
    </message>
    <message>
        <source>The link does not describe a server.</source>
        <translation>リンクがサーバーを記述していません。</translation>
    </message>
    <message>
        <source>Line %1, column %2: a comment or a trailing comma, which %3 does not accept.</source>
        <translation>行%1、列%2: %3が受け付けないコメントまたは末尾のコンマがあります。</translation>
    </message>
    <message>
        <source>Disabled in this file.</source>
        <translation>このファイルで無効になっています。</translation>
    </message>
    <message>
        <source>Disabled in %1.</source>
        <translation>%1で無効になっています。</translation>
    </message>
    <message>
        <source>%1 describes more than %2 servers.</source>
        <translation>%1には%2 個を超えるサーバーが記述されています。</translation>
    </message>
    <message>
        <source>The text describes no servers.</source>
        <translation>テキストにサーバーの記述がありません。</translation>
    </message>
    <message>
        <source>Paste a command, a URL, an “mcpServers” object, or the content of a host&apos;s configuration file.</source>
        <translation>コマンド、URL、「mcpServers」オブジェクト、またはホストの構成ファイルの内容を貼り付けてください。</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>貼り付けたテキスト</translation>
    </message>
    <message>
        <source>Every user of this computer can read %1, and it contains %2. Make it readable by you only (chmod 600).</source>
        <translation>このコンピューターのすべてのユーザーが%1を読み取れます。このファイルには%2が含まれています。あなただけが読み取れるようにしてください (chmod 600)。</translation>
    </message>
    <message>
        <source>1 secret</source>
        <translation>1 個のシークレット</translation>
    </message>
    <message>
        <source>%1 secrets</source>
        <translation>%1 個のシークレット</translation>
    </message>
    <message>
        <source>the command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>argument %1</source>
        <translation>引数%1</translation>
    </message>
    <message>
        <source>the working directory</source>
        <translation>作業ディレクトリ</translation>
    </message>
    <message>
        <source>the variable %1</source>
        <translation>変数%1</translation>
    </message>
    <message>
        <source>the URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>the header %1</source>
        <translation>ヘッダー%1</translation>
    </message>
    <message>
        <source>the client ID</source>
        <translation>クライアントID</translation>
    </message>
    <message>
        <source>the client secret</source>
        <translation>クライアントシークレット</translation>
    </message>
    <message>
        <source>“oauth”</source>
        <translation>「oauth」</translation>
    </message>
    <message>
        <source>%1 (Sonde&apos;s own)</source>
        <translation>%1 (Sonde自身のもの)</translation>
    </message>
    <message>
        <source>%1 (set for this server)</source>
        <translation>%1 (このサーバー用に設定)</translation>
    </message>
    <message>
        <source>read from your login shell when the server starts</source>
        <translation>サーバーの起動時にログインシェルから読み取り</translation>
    </message>
    <message>
        <source>%1 (your login shell&apos;s)</source>
        <translation>%1 (ログインシェルのもの)</translation>
    </message>
    <message>
        <source>set for this server: %1</source>
        <translation>このサーバー用に設定: %1</translation>
    </message>
    <message>
        <source>and 1 other variable of Sonde&apos;s</source>
        <translation>ほかにSondeの1 個の変数</translation>
    </message>
    <message>
        <source>and %1 other variables of Sonde&apos;s</source>
        <translation>ほかにSondeの%1 個の変数</translation>
    </message>
    <message>
        <source>It does not start by itself at this URL: start the package %1 first.</source>
        <translation>このURLでは自動的に起動しません。先にパッケージ%1を起動してください。</translation>
    </message>
    <message>
        <source>Optional and left out: %1.</source>
        <translation>任意のため省略: %1。</translation>
    </message>
    <message>
        <source>Optional and left out: %1 (%2)</source>
        <translation>任意のため省略: %1 (%2)</translation>
    </message>
    <message>
        <source>A package of the type “%1” cannot be started by Sonde. Install %2 and enter its command.</source>
        <translation>型「%1」のパッケージはSondeでは起動できません。%2をインストールし、そのコマンドを入力してください。</translation>
    </message>
    <message>
        <source>remote</source>
        <translation>リモート</translation>
    </message>
    <message>
        <source>remote %1</source>
        <translation>リモート%1</translation>
    </message>
    <message>
        <source>%1 is not valid JSON at line %2, column %3: %4</source>
        <translation>%1は有効なJSONではありません (行%2、列%3): %4</translation>
    </message>
    <message>
        <source>The file was not changed. Fix it, or move it away.</source>
        <translation>ファイルは変更されていません。修正するか、別の場所に移動してください。</translation>
    </message>
    <message>
        <source>expected a JSON object.</source>
        <translation>JSONオブジェクトが必要です。</translation>
    </message>
    <message>
        <source>“mcpServers” is not an object.</source>
        <translation>「mcpServers」がオブジェクトではありません。</translation>
    </message>
    <message>
        <source>This looks like JSON but is invalid: %1.</source>
        <translation>JSONのようですが、無効です: %1。</translation>
    </message>
    <message>
        <source>The pasted JSON describes %1 servers. Import them with “Import…”, or add one at a time.</source>
        <translation>貼り付けたJSONには%1 個のサーバーが記述されています。「インポート…」でインポートするか、1個ずつ追加してください。</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name.</source>
        <translation>「%1」は有効なヘッダー名ではありません。</translation>
    </message>
    <message>
        <source>The header “%1” is set by Sonde itself.</source>
        <translation>ヘッダー「%1」はSonde自身が設定します。</translation>
    </message>
    <message>
        <source>The header “%1” contains a line break or another control character.</source>
        <translation>ヘッダー「%1」に改行またはその他の制御文字が含まれています。</translation>
    </message>
    <message>
        <source>The header “%1” contains characters that a header cannot carry.</source>
        <translation>ヘッダー「%1」に、ヘッダーで使用できない文字が含まれています。</translation>
    </message>
    <message>
        <source>No URL is given.</source>
        <translation>URLが指定されていません。</translation>
    </message>
    <message>
        <source>The URL has no scheme; it must begin with https:// or http://.</source>
        <translation>URLにスキームがありません。https://またはhttp://で始まる必要があります。</translation>
    </message>
    <message>
        <source>The URL must begin with https:// or http://, not %1:.</source>
        <translation>URLは%1:ではなく、https://またはhttp://で始まる必要があります。</translation>
    </message>
    <message>
        <source>The URL has no host.</source>
        <translation>URLにホストがありません。</translation>
    </message>
    <message>
        <source>The root “%1” is not the absolute path of a folder, nor a file:// URI.</source>
        <translation>root「%1」は、フォルダーの絶対パスでもfile:// URIでもありません。</translation>
    </message>
    <message>
        <source>No command is given.</source>
        <translation>コマンドが指定されていません。</translation>
    </message>
    <message>
        <source>The command line contains a NUL character.</source>
        <translation>コマンドラインにNUL文字が含まれています。</translation>
    </message>
    <message>
        <source>“%1” is not a valid environment variable name.</source>
        <translation>「%1」は有効な環境変数名ではありません。</translation>
    </message>
    <message>
        <source>The environment variable “%1” contains a NUL character.</source>
        <translation>環境変数「%1」にNUL文字が含まれています。</translation>
    </message>
    <message>
        <source>“%1” is passed as is: no shell is used. Use sh -c &apos;…&apos; if you need a shell.</source>
        <translation>「%1」はそのまま渡されます。シェルは使用されません。シェルが必要な場合はsh -c &apos;…&apos;を使用してください。</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>次回の起動時に有効になります。</translation>
    </message>
    <message>
        <source>Nothing runs until you click Connect.</source>
        <translation>「接続」をクリックするまで何も実行されません。</translation>
    </message>
    <message>
        <source>Asks your login shell for its PATH, and runs the “%1” that is found there.</source>
        <translation>ログインシェルにPATHを問い合わせ、そこで見つかった「%1」を実行します。</translation>
    </message>
    <message>
        <source>The working directory %1 does not exist.</source>
        <translation>作業ディレクトリ%1は存在しません。</translation>
    </message>
    <message>
        <source>Runs %1 without arguments in %2.</source>
        <translation>%2で%1を引数なしで実行します。</translation>
    </message>
    <message>
        <source>Runs %1 with 1 argument in %2.</source>
        <translation>%2で%1を1 個の引数で実行します。</translation>
    </message>
    <message>
        <source>Runs %1 with %2 arguments in %3.</source>
        <translation>%3で%1を%2 個の引数で実行します。</translation>
    </message>
    <message>
        <source>Connects to %1.</source>
        <translation>%1に接続します。</translation>
    </message>
    <message>
        <source>Connects to %1 with 1 custom header.</source>
        <translation>1 個のカスタムヘッダーで%1に接続します。</translation>
    </message>
    <message>
        <source>Connects to %1 with %2 custom headers.</source>
        <translation>%2 個のカスタムヘッダーで%1に接続します。</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Connect.</source>
        <translation>「接続」をクリックするまで何も送信されません。</translation>
    </message>
    <message>
        <source>Nothing was entered.</source>
        <translation>何も入力されていません。</translation>
    </message>
    <message>
        <source>Enter a command line or URL.</source>
        <translation>コマンドラインまたはURLを入力してください。</translation>
    </message>
    <message>
        <source>Not a valid URL: %1.</source>
        <translation>有効なURLではありません: %1。</translation>
    </message>
    <message>
        <source>The line sets environment variables but contains no command.</source>
        <translation>この行は環境変数を設定していますが、コマンドがありません。</translation>
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
        <translation>リビジョン%1はHTTP+SSEでは動作しません。別のトランスポートまたは別のリビジョンを選択してください。</translation>
    </message>
    <message>
        <source>“%1” is not the absolute path of a file.</source>
        <translation>「%1」はファイルの絶対パスではありません。</translation>
    </message>
    <message>
        <source>There is a client key, but no client certificate.</source>
        <translation>クライアントの秘密鍵はありますが、クライアント証明書がありません。</translation>
    </message>
    <message>
        <source>“%1” is not a SHA-256 fingerprint, which has 64 hexadecimal digits.</source>
        <translation>「%1」は64桁の16進数からなるSHA-256フィンガープリントではありません。</translation>
    </message>
    <message>
        <source>“%1” is not the name of a host.</source>
        <translation>「%1」はホストの名前ではありません。</translation>
    </message>
    <message>
        <source> The root %1 is not a folder.</source>
        <translation> root「%1」はフォルダーではありません。</translation>
    </message>
    <message>
        <source>“%1” is not a string.</source>
        <translation>「%1」が文字列ではありません。</translation>
    </message>
    <message>
        <source>“args” is not a list of strings.</source>
        <translation>「args」が文字列のリストではありません。</translation>
    </message>
    <message>
        <source>Argument %1 of “args” is not a string.</source>
        <translation>「args」の引数%1が文字列ではありません。</translation>
    </message>
    <message>
        <source>“%1” is not an object of strings.</source>
        <translation>「%1」が文字列のオブジェクトではありません。</translation>
    </message>
    <message>
        <source>“%1” of “%2” is not a string.</source>
        <translation>「%2」の「%1」が文字列ではありません。</translation>
    </message>
    <message>
        <source>“roots” is not a list of objects with a “uri”.</source>
        <translation>「roots」が、「uri」を持つオブジェクトのリストではありません。</translation>
    </message>
    <message>
        <source>Unknown “type” %1; use “stdio”, “http”, “streamable-http” or “sse”.</source>
        <translation>不明な「type」%1。「stdio」、「http」、「streamable-http」、「sse」のいずれかを使用してください。</translation>
    </message>
    <message>
        <source>Unknown “revision” %1; use “automatic” or one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.</source>
        <translation>不明な「revision」%1。「automatic」、または2024-11-05、2025-03-26、2025-06-18、2025-11-25、2026-07-28のいずれかを使用してください。</translation>
    </message>
    <message>
        <source>“%1” is not a valid URL: %2</source>
        <translation>「%1」は有効なURLではありません: %2</translation>
    </message>
    <message>
        <source>Unknown “grant” %1 of “oauth”; use “authorization_code”, “client_credentials”, “enterprise” or “workload”.</source>
        <translation>「oauth」の不明な「grant」%1。「authorization_code」、「client_credentials」、「enterprise」、「workload」のいずれかを使用してください。</translation>
    </message>
    <message>
        <source>“%1” is given more than once; the last one counts.</source>
        <translation>「%1」が複数回指定されています。最後のものが有効です。</translation>
    </message>
    <message>
        <source>The environment variable %1 is not set.</source>
        <translation>環境変数%1が設定されていません。</translation>
    </message>
    <message>
        <source>These environment variables are not set: %1.</source>
        <translation>次の環境変数が設定されていません: %1。</translation>
    </message>
    <message>
        <source>The server&apos;s description refers to it as ${env:%1}.</source>
        <translation>サーバーの記述が${env:%1}として参照しています。</translation>
    </message>
    <message>
        <source>a key with more than %1 parts.</source>
        <translation>%1 個を超える部分からなるキーです。</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>タイムアウト</translation>
    </message>
    <message>
        <source>Ignored: “timeouts” is not an object.</source>
        <translation>無視されました: 「timeouts」はオブジェクトではありません。</translation>
    </message>
    <message>
        <source>Ignored: “%1” of “timeouts” is not a number of seconds from %2 to %3.</source>
        <translation>無視されました: 「timeouts」の「%1」は %2～%3 の秒数ではありません。</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>無制限</translation>
    </message>
    <message>
        <source>request %1</source>
        <translation>リクエスト %1</translation>
    </message>
    <message>
        <source>total %1</source>
        <translation>合計 %1</translation>
    </message>
    <message>
        <source>connection %1</source>
        <translation>接続 %1</translation>
    </message>
</context>
<context>
    <name>sonde::ServerSnapshot</name>
    <message>
        <source>The session does not contain a successful handshake.</source>
        <translation>セッションに成功したハンドシェイクがありません。</translation>
    </message>
</context>
<context>
    <name>sonde::ServerStart</name>
    <message>
        <source>not executable</source>
        <translation>実行できません</translation>
    </message>
    <message>
        <source>no such program</source>
        <translation>プログラムがありません</translation>
    </message>
    <message>
        <source>command not found</source>
        <translation>コマンドが見つかりません</translation>
    </message>
    <message>
        <source>This server has not been approved with its current settings.</source>
        <translation>このサーバーは現在の設定では承認されていません。</translation>
    </message>
    <message>
        <source>Start it from the list of servers, where Sonde shows what it would run.</source>
        <translation>サーバーの一覧から起動してください。Sondeが実行内容を表示します。</translation>
    </message>
    <message>
        <source>Waiting for your approval</source>
        <translation>あなたの承認を待っています</translation>
    </message>
    <message>
        <source>Waiting for the keychain</source>
        <translation>キーチェーンを待っています</translation>
    </message>
    <message>
        <source>%1 from the keychain</source>
        <translation>キーチェーンから%1 個</translation>
    </message>
    <message>
        <source>Asking the login shell for its PATH</source>
        <translation>ログインシェルにPATHを問い合わせています</translation>
    </message>
    <message>
        <source>“%1” did not exist when you were asked, but does now.</source>
        <translation>「%1」は確認時には存在しませんでしたが、現在は存在します。</translation>
    </message>
    <message>
        <source>Start the server again. Sonde asks before it runs.</source>
        <translation>サーバーをもう一度起動してください。Sondeは実行前に確認します。</translation>
    </message>
    <message>
        <source>%1, chosen in this server&apos;s settings</source>
        <translation>%1、このサーバーの設定で選択</translation>
    </message>
    <message>
        <source>%1, which the server used before</source>
        <translation>%1、サーバーが以前に使用</translation>
    </message>
    <message>
        <source>%1, which is tried first</source>
        <translation>%1、最初に試行</translation>
    </message>
    <message>
        <source>Waiting for at most %1 s; servers that need a handshake may not respond</source>
        <translation>最大%1 秒待っています。ハンドシェイクが必要なサーバーは応答しないことがあります</translation>
    </message>
    <message>
        <source>Chosen in this server&apos;s settings.</source>
        <translation>このサーバーの設定で選択されています。</translation>
    </message>
    <message>
        <source>HTTP+SSE servers always need a handshake.</source>
        <translation>HTTP+SSEサーバーには必ずハンドシェイクが必要です。</translation>
    </message>
    <message>
        <source>Remembered from %1: the server wants a handshake.</source>
        <translation>%1に記憶済み: サーバーはハンドシェイクを必要とします。</translation>
    </message>
    <message>
        <source>Waiting for credentials</source>
        <translation>認証情報を待っています</translation>
    </message>
    <message>
        <source>The server chose it; this server&apos;s settings say %1.</source>
        <translation>サーバーが選択しました。このサーバーの設定は%1です。</translation>
    </message>
</context>
<context>
    <name>sonde::ServerStore</name>
    <message>
        <source>A server named “%1” already exists.</source>
        <translation>「%1」という名前のサーバーはすでに存在します。</translation>
    </message>
    <message>
        <source>Enter a name for the server.</source>
        <translation>サーバーの名前を入力してください。</translation>
    </message>
    <message>
        <source>No server named “%1”.</source>
        <translation>「%1」という名前のサーバーはありません。</translation>
    </message>
    <message>
        <source>server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>%1 is writable by every user of this computer, and it defines which programs Sonde starts.</source>
        <translation>%1はこのコンピューターのすべてのユーザーが書き込み可能で、Sondeが起動するプログラムを定義しています。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2。</translation>
    </message>
</context>
<context>
    <name>sonde::Session</name>
    <message>
        <source>Cancelled.</source>
        <translation>キャンセルされました。</translation>
    </message>
    <message>
        <source>Not enough memory to read the rest.</source>
        <translation>残りを読み取るにはメモリが足りません。</translation>
    </message>
</context>
<context>
    <name>sonde::SessionCheck</name>
    <message>
        <source>%1 (Findings of this kind so far: %2; further ones are mostly only counted.)</source>
        <translation>%1 (この種の検出事項: これまでに%2 件。以降はほとんどが件数のみ数えられます。)</translation>
    </message>
    <message>
        <source>Response to %1</source>
        <translation>%1へのレスポンス</translation>
    </message>
    <message>
        <source>%1, revision %2: %3</source>
        <translation>%1、リビジョン%2: %3</translation>
    </message>
</context>
<context>
    <name>sonde::SessionFile</name>
    <message>
        <source>Free some disk space; recording resumes automatically.</source>
        <translation>ディスクの空き容量を増やしてください。記録は自動的に再開します。</translation>
    </message>
    <message>
        <source>The session file &apos;%1&apos; could not be created: %2</source>
        <translation>セッションファイル&apos;%1&apos;を作成できませんでした: %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; could not be opened: %2</source>
        <translation>&apos;%1&apos;を開けませんでした: %2</translation>
    </message>
    <message>
        <source>The session file could not be written: %1</source>
        <translation>セッションファイルに書き込めませんでした: %1</translation>
    </message>
    <message>
        <source>The session file could not be flushed to disk: %1</source>
        <translation>セッションファイルをディスクに書き出せませんでした: %1</translation>
    </message>
</context>
<context>
    <name>sonde::SessionHeader</name>
    <message>
        <source>Not a Sonde session file.</source>
        <translation>Sondeのセッションファイルではありません。</translation>
    </message>
    <message>
        <source>This session has format version %1.</source>
        <translation>このセッションの形式のバージョンは%1です。</translation>
    </message>
    <message>
        <source>A newer version of Sonde is needed to read it.</source>
        <translation>読み取るには、新しいバージョンのSondeが必要です。</translation>
    </message>
</context>
<context>
    <name>sonde::SessionLibrary</name>
    <message>
        <source>&apos;%1&apos; is not a session in this folder; not deleted.</source>
        <translation>&apos;%1&apos;はこのフォルダーのセッションではないため、削除されませんでした。</translation>
    </message>
    <message>
        <source>This session is still being recorded.</source>
        <translation>このセッションはまだ記録中です。</translation>
    </message>
    <message>
        <source>Disconnect first.</source>
        <translation>先に切断してください。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; could not be deleted: %2</source>
        <translation>&apos;%1&apos;を削除できませんでした: %2</translation>
    </message>
</context>
<context>
    <name>sonde::SessionNotes</name>
    <message>
        <source>Shorten the text.</source>
        <translation>テキストを短くしてください。</translation>
    </message>
    <message>
        <source>The header of this session cannot be read.</source>
        <translation>このセッションのヘッダーを読み取れません。</translation>
    </message>
    <message>
        <source>A name can have %1 characters.</source>
        <translation>名前は%1 文字までです。</translation>
    </message>
    <message>
        <source>Notes can have %1 characters.</source>
        <translation>メモは%1 文字までです。</translation>
    </message>
</context>
<context>
    <name>sonde::SessionReader</name>
    <message>
        <source>&apos;%1&apos; cannot be read.</source>
        <translation>&apos;%1&apos;を読み取れません。</translation>
    </message>
    <message>
        <source>The header is damaged; its contents may be wrong.</source>
        <translation>ヘッダーが破損しているため、内容が正しくない可能性があります。</translation>
    </message>
    <message>
        <source>The last record is incomplete.</source>
        <translation>最後のレコードが不完全です。</translation>
    </message>
    <message>
        <source>The record&apos;s length is invalid.</source>
        <translation>レコードの長さが無効です。</translation>
    </message>
    <message>
        <source>The record is out of order.</source>
        <translation>レコードの順序が正しくありません。</translation>
    </message>
    <message>
        <source>Read error.</source>
        <translation>読み取りエラー。</translation>
    </message>
    <message>
        <source>The record is damaged.</source>
        <translation>レコードが破損しています。</translation>
    </message>
    <message>
        <source>From here on records are not in their order.</source>
        <translation>ここからはレコードが順番どおりではありません。</translation>
    </message>
    <message>
        <source>Duplicate record.</source>
        <translation>重複したレコードです。</translation>
    </message>
    <message>
        <source>Record %1 is missing.</source>
        <translation>レコード%1がありません。</translation>
    </message>
    <message>
        <source>Records %1 to %2 are missing.</source>
        <translation>レコード%1～%2がありません。</translation>
    </message>
</context>
<context>
    <name>sonde::SessionRedactor</name>
    <message>
        <source>specified by you</source>
        <translation>ユーザーが指定</translation>
    </message>
    <message>
        <source>home directory</source>
        <translation>ホームディレクトリ</translation>
    </message>
    <message>
        <source>redacted elsewhere in the session</source>
        <translation>セッションの別の場所でマスク済み</translation>
    </message>
    <message>
        <source>one of many</source>
        <translation>多数のうちの1つ</translation>
    </message>
    <message>
        <source>token or key format</source>
        <translation>トークンまたはキーの形式</translation>
    </message>
    <message>
        <source>header, variable, URL or option</source>
        <translation>ヘッダー、変数、URL、またはオプション</translation>
    </message>
    <message>
        <source>name in the text</source>
        <translation>テキスト内の名前</translation>
    </message>
    <message>
        <source>redacted while recording</source>
        <translation>記録中にマスク済み</translation>
    </message>
</context>
<context>
    <name>sonde::Shape</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1および%2</translation>
    </message>
    <message>
        <source>item %1</source>
        <translation>要素%1</translation>
    </message>
    <message>
        <source>“%1” %2</source>
        <translation>「%1」%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>schema too large</source>
        <translation>スキーマが大きすぎます</translation>
    </message>
    <message>
        <source>“%1” is not one of: %2</source>
        <translation>「%1」は次のいずれでもありません: %2</translation>
    </message>
    <message>
        <source>string</source>
        <translation>文字列</translation>
    </message>
    <message>
        <source>integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>boolean</source>
        <translation>ブール値</translation>
    </message>
    <message>
        <source>1 choice</source>
        <translation>1 個の選択肢</translation>
    </message>
    <message>
        <source>%1 choices</source>
        <translation>%1 個の選択肢</translation>
    </message>
    <message>
        <source>tuple</source>
        <translation>タプル</translation>
    </message>
    <message>
        <source>list</source>
        <translation>リスト</translation>
    </message>
    <message>
        <source>object</source>
        <translation>オブジェクト</translation>
    </message>
    <message>
        <source>any JSON</source>
        <translation>任意のJSON</translation>
    </message>
    <message>
        <source>option %1</source>
        <translation>選択肢%1</translation>
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
        <translation>%1の倍数</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>最大%1</translation>
    </message>
    <message>
        <source>min %1</source>
        <translation>最小%1</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1または%2</translation>
    </message>
    <message>
        <source>tuple of %1</source>
        <translation>%1 要素のタプル</translation>
    </message>
    <message>
        <source>tuples of %1</source>
        <translation>%1 要素のタプル</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>strings</source>
        <translation>文字列</translation>
    </message>
    <message>
        <source>%1 strings</source>
        <translation>%1文字列</translation>
    </message>
    <message>
        <source>integers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>booleans</source>
        <translation>ブール値</translation>
    </message>
    <message>
        <source>choices</source>
        <translation>選択肢</translation>
    </message>
    <message>
        <source>no choices</source>
        <translation>選択肢なし</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>定数</translation>
    </message>
    <message>
        <source>constants</source>
        <translation>定数</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>オブジェクト</translation>
    </message>
    <message>
        <source>empty object</source>
        <translation>空のオブジェクト</translation>
    </message>
    <message>
        <source>empty objects</source>
        <translation>空のオブジェクト</translation>
    </message>
    <message>
        <source>map</source>
        <translation>マップ</translation>
    </message>
    <message>
        <source>maps</source>
        <translation>マップ</translation>
    </message>
    <message>
        <source>map of %1</source>
        <translation>%1のマップ</translation>
    </message>
    <message>
        <source>maps of %1</source>
        <translation>%1のマップ</translation>
    </message>
    <message>
        <source>lists</source>
        <translation>リスト</translation>
    </message>
    <message>
        <source>list of %1</source>
        <translation>%1のリスト</translation>
    </message>
    <message>
        <source>lists of %1</source>
        <translation>%1のリスト</translation>
    </message>
    <message>
        <source>any object</source>
        <translation>任意のオブジェクト</translation>
    </message>
    <message>
        <source>any list</source>
        <translation>任意のリスト</translation>
    </message>
    <message>
        <source>no valid value</source>
        <translation>有効な値なし</translation>
    </message>
    <message>
        <source>character</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>pattern %1</source>
        <translation>パターン%1</translation>
    </message>
    <message>
        <source>item</source>
        <translation>個</translation>
    </message>
    <message>
        <source>items</source>
        <translation>個</translation>
    </message>
    <message>
        <source>unique items</source>
        <translation>一意の要素</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>既定値%1</translation>
    </message>
    <message>
        <source>deprecated</source>
        <translation>非推奨</translation>
    </message>
    <message>
        <source>%1, then %2</source>
        <translation>%1、続いて%2</translation>
    </message>
</context>
<context>
    <name>sonde::SignIn</name>
    <message>
        <source>Server metadata</source>
        <translation>サーバーメタデータ</translation>
    </message>
    <message>
        <source>Authorization server</source>
        <translation>認可サーバー</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>クライアント</translation>
    </message>
    <message>
        <source>Browser</source>
        <translation>ブラウザー</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>キーチェーン</translation>
    </message>
    <message>
        <source>Revocation</source>
        <translation>失効</translation>
    </message>
    <message>
        <source>Kept until Sonde is closed: %1</source>
        <translation>Sondeを閉じるまで保持: %1</translation>
    </message>
    <message>
        <source>Kept in the keychain</source>
        <translation>キーチェーンに保存</translation>
    </message>
    <message>
        <source>There is no metadata at the URL that the server gave: %1</source>
        <translation>サーバーが示したURLにメタデータがありません: %1</translation>
    </message>
    <message>
        <source>None published; using the rules of 2025-03-26</source>
        <translation>公開されていないため、2025-03-26の規則を使用</translation>
    </message>
    <message>
        <source>Protected by %1</source>
        <translation>%1により保護</translation>
    </message>
    <message>
        <source>The authorization server is neither https nor on this computer: %1</source>
        <translation>認可サーバーがhttpsでもこのコンピューター上でもありません: %1</translation>
    </message>
    <message>
        <source>The authorization server %1 publishes no metadata.</source>
        <translation>認可サーバー%1はメタデータを公開していません。</translation>
    </message>
    <message>
        <source>None published; using the default paths of 2025-03-26</source>
        <translation>公開されていないため、2025-03-26の既定のパスを使用</translation>
    </message>
    <message>
        <source>The credentials are for %1, but the server is protected by %2.</source>
        <translation>認証情報は%1用ですが、サーバーは%2により保護されています。</translation>
    </message>
    <message>
        <source>If that is correct, change the issuer in this server&apos;s sign-in settings.</source>
        <translation>それで正しい場合は、このサーバーのサインインの設定で発行者を変更してください。</translation>
    </message>
    <message>
        <source>If that is correct, sign out and sign in again.</source>
        <translation>それで正しい場合は、サインアウトしてからもう一度サインインしてください。</translation>
    </message>
    <message>
        <source>The server&apos;s URL is not https, so tokens could be intercepted.</source>
        <translation>サーバーのURLがhttpsではないため、トークンが傍受されるおそれがあります。</translation>
    </message>
    <message>
        <source>Use an https URL, or add an Authorization header to its settings.</source>
        <translation>httpsのURLを使用するか、設定にAuthorizationヘッダーを追加してください。</translation>
    </message>
    <message>
        <source>The server requires a sign-in at %1.</source>
        <translation>サーバーは%1でのサインインを要求しています。</translation>
    </message>
    <message>
        <source>Sign in with sonde-cli login, or add an Authorization header.</source>
        <translation>sonde-cli loginでサインインするか、Authorizationヘッダーを追加してください。</translation>
    </message>
    <message>
        <source>Identified by its own token</source>
        <translation>自身のトークンで識別</translation>
    </message>
    <message>
        <source>%1, from the settings</source>
        <translation>%1、設定から</translation>
    </message>
    <message>
        <source>%1, as before</source>
        <translation>%1、以前と同じ</translation>
    </message>
    <message>
        <source>%1, registered earlier</source>
        <translation>%1、以前に登録</translation>
    </message>
    <message>
        <source>The authorization server does not support client registration.</source>
        <translation>認可サーバーはクライアント登録に対応していません。</translation>
    </message>
    <message>
        <source>Enter a client ID from %1 in this server&apos;s settings.</source>
        <translation>このサーバーの設定に、%1で取得したクライアントIDを入力してください。</translation>
    </message>
    <message>
        <source>The sign-in was not completed within five minutes.</source>
        <translation>サインインは5分以内に完了しませんでした。</translation>
    </message>
    <message>
        <source>A response with the wrong state was ignored</source>
        <translation>stateが異なるレスポンスは無視されました</translation>
    </message>
    <message>
        <source>The server requires credentials but publishes no sign-in metadata.</source>
        <translation>サーバーは認証情報を要求していますが、サインインのメタデータを公開していません。</translation>
    </message>
    <message>
        <source>If it accepts an API key or a token, add it as a header, such as Authorization.</source>
        <translation>APIキーまたはトークンを受け付ける場合は、Authorizationなどのヘッダーとして追加してください。</translation>
    </message>
    <message>
        <source>If you have a client ID from %1, enter it in this server&apos;s settings.</source>
        <translation>%1で取得したクライアントIDがある場合は、このサーバーの設定に入力してください。</translation>
    </message>
    <message>
        <source>Registered as %1</source>
        <translation>%1として登録済み</translation>
    </message>
    <message>
        <source>The authorization server does not support PKCE with S256, which MCP requires.</source>
        <translation>認可サーバーは、MCPが要求するS256のPKCEに対応していません。</translation>
    </message>
    <message>
        <source>Signing in at %1 is not possible.</source>
        <translation>%1でサインインすることはできません。</translation>
    </message>
    <message>
        <source>Waiting for you to sign in at %1</source>
        <translation>%1でのあなたのサインインを待っています</translation>
    </message>
    <message>
        <source>Waiting for you to sign in at %1, named by %2</source>
        <translation>%1 (%2が指定) でのあなたのサインインを待っています</translation>
    </message>
    <message>
        <source>This is not the redirect URL of this sign-in.</source>
        <translation>これはこのサインインのリダイレクトURLではありません。</translation>
    </message>
    <message>
        <source>Copy the whole address from the browser, from http to the end.</source>
        <translation>ブラウザーのアドレス全体を、httpから末尾までコピーしてください。</translation>
    </message>
    <message>
        <source>The authorization server&apos;s response has the parameter %1 more than once.</source>
        <translation>認可サーバーのレスポンスにパラメーター%1が複数あります。</translation>
    </message>
    <message>
        <source>OAuth forbids that (RFC 6749, section 3.1), because it is ambiguous.</source>
        <translation>あいまいになるため、OAuthでは禁止されています (RFC 6749、3.1節)。</translation>
    </message>
    <message>
        <source>The response comes from a different authorization server.</source>
        <translation>レスポンスは別の認可サーバーからのものです。</translation>
    </message>
    <message>
        <source>The response does not say which authorization server it comes from.</source>
        <translation>レスポンスに、どの認可サーバーからのものかが示されていません。</translation>
    </message>
    <message>
        <source>The authorization server refused the sign-in: %1</source>
        <translation>認可サーバーがサインインを拒否しました: %1</translation>
    </message>
    <message>
        <source>The authorization server&apos;s response has no code.</source>
        <translation>認可サーバーのレスポンスにcodeがありません。</translation>
    </message>
    <message>
        <source>Signed in</source>
        <translation>サインイン済み</translation>
    </message>
    <message>
        <source>The identity provider is neither https nor on this computer.</source>
        <translation>IDプロバイダーがhttpsでもこのコンピューター上でもありません。</translation>
    </message>
    <message>
        <source>Try again later, or sign in again.</source>
        <translation>後でもう一度試すか、もう一度サインインしてください。</translation>
    </message>
    <message>
        <source>OAuth requires it (RFC 6749, section 5.1), as in &quot;token_type&quot;: &quot;Bearer&quot;.</source>
        <translation>OAuthでは&quot;token_type&quot;: &quot;Bearer&quot;のように必須です (RFC 6749、5.1節)。</translation>
    </message>
    <message>
        <source>The authorization server issued a token of an unknown type: %1</source>
        <translation>認可サーバーが不明な種類のトークンを発行しました: %1</translation>
    </message>
    <message>
        <source>The authorization server issued a token bound to a key (DPoP), but no key was used.</source>
        <translation>認可サーバーが鍵に紐付いたトークン (DPoP) を発行しましたが、鍵は使用されていません。</translation>
    </message>
    <message>
        <source>The authorization server issued a token with invalid characters.</source>
        <translation>認可サーバーが無効な文字を含むトークンを発行しました。</translation>
    </message>
    <message>
        <source>Refreshed</source>
        <translation>更新済み</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>アクセストークン</translation>
    </message>
    <message>
        <source>Access and refresh token</source>
        <translation>アクセストークンとリフレッシュトークン</translation>
    </message>
</context>
<context>
    <name>sonde::SseTransport</name>
    <message>
        <source>Check that this is an HTTP+SSE URL.</source>
        <translation>HTTP+SSEのURLであることを確認してください。</translation>
    </message>
    <message>
        <source>The server opened an event stream but did not name its endpoint in time.</source>
        <translation>サーバーがイベントストリームを開きましたが、時間内にエンドポイントを示しませんでした。</translation>
    </message>
    <message>
        <source>The event stream did not begin with the event “endpoint”.</source>
        <translation>イベントストリームがイベント「endpoint」で始まっていません。</translation>
    </message>
    <message>
        <source>The endpoint that the server named is not a URL.</source>
        <translation>サーバーが示したエンドポイントはURLではありません。</translation>
    </message>
    <message>
        <source>The endpoint that the server named is on another origin. Nothing was sent there.</source>
        <translation>サーバーが示したエンドポイントは別のオリジンにあります。そこには何も送信されていません。</translation>
    </message>
    <message>
        <source>Messages and credentials go only to %1.</source>
        <translation>メッセージと認証情報の送信先は%1のみです。</translation>
    </message>
</context>
<context>
    <name>sonde::StdioTransport</name>
    <message>
        <source>Hangup</source>
        <translation>ハングアップ</translation>
    </message>
    <message>
        <source>Interrupt</source>
        <translation>割り込み</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>Illegal instruction</source>
        <translation>不正な命令</translation>
    </message>
    <message>
        <source>Trace/breakpoint trap</source>
        <translation>トレース/ブレークポイントトラップ</translation>
    </message>
    <message>
        <source>Aborted</source>
        <translation>中止</translation>
    </message>
    <message>
        <source>Bus error</source>
        <translation>バスエラー</translation>
    </message>
    <message>
        <source>Floating point exception</source>
        <translation>浮動小数点例外</translation>
    </message>
    <message>
        <source>Killed</source>
        <translation>強制終了</translation>
    </message>
    <message>
        <source>User defined signal 1</source>
        <translation>ユーザー定義シグナル1</translation>
    </message>
    <message>
        <source>Segmentation fault</source>
        <translation>セグメンテーション違反</translation>
    </message>
    <message>
        <source>User defined signal 2</source>
        <translation>ユーザー定義シグナル2</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>パイプ破損</translation>
    </message>
    <message>
        <source>Alarm clock</source>
        <translation>アラームクロック</translation>
    </message>
    <message>
        <source>Terminated</source>
        <translation>終了要求</translation>
    </message>
    <message>
        <source>CPU time limit exceeded</source>
        <translation>CPU時間の制限超過</translation>
    </message>
    <message>
        <source>File size limit exceeded</source>
        <translation>ファイルサイズの制限超過</translation>
    </message>
    <message>
        <source>Bad system call</source>
        <translation>不正なシステムコール</translation>
    </message>
    <message>
        <source>Unknown signal</source>
        <translation>不明なシグナル</translation>
    </message>
    <message>
        <source>Code 127 usually means that a command inside a script was not found.</source>
        <translation>コード127は通常、スクリプト内のコマンドが見つからなかったことを示します。</translation>
    </message>
    <message>
        <source>Code 126 usually means that a command inside a script could not be executed.</source>
        <translation>コード126は通常、スクリプト内のコマンドを実行できなかったことを示します。</translation>
    </message>
    <message>
        <source>“%1” is a directory, not a program.</source>
        <translation>「%1」はプログラムではなくディレクトリです。</translation>
    </message>
    <message>
        <source>“%1” was found but is not executable.</source>
        <translation>「%1」は見つかりましたが、実行可能ではありません。</translation>
    </message>
    <message>
        <source>Make it executable (chmod +x), or start it through its interpreter, such as “node” or “python3”.</source>
        <translation>実行可能にする (chmod +x) か、「node」や「python3」などのインタープリターから起動してください。</translation>
    </message>
    <message>
        <source>“~” is not expanded. Write the full path.</source>
        <translation>「~」は展開されません。フルパスを書いてください。</translation>
    </message>
    <message>
        <source>Install Node.js, or add the directory that holds “%1” to PATH in this server&apos;s environment (version managers such as nvm set it for terminals only).</source>
        <translation>Node.jsをインストールするか、「%1」のあるディレクトリをこのサーバーの環境変数のPATHに追加してください (nvmなどのバージョンマネージャーはターミナルでのみ設定します)。</translation>
    </message>
    <message>
        <source>Install uv, or add the directory that holds “%1” (often ~/.local/bin, written in full) to PATH in this server&apos;s environment.</source>
        <translation>uvをインストールするか、「%1」のあるディレクトリ (多くは~/.local/bin、省略せずに記述) をこのサーバーの環境変数のPATHに追加してください。</translation>
    </message>
    <message>
        <source>Enter the full path, or add its directory to PATH in this server&apos;s environment.</source>
        <translation>フルパスを入力するか、そのディレクトリをこのサーバーの環境変数のPATHに追加してください。</translation>
    </message>
    <message>
        <source>No program is given.</source>
        <translation>プログラムが指定されていません。</translation>
    </message>
    <message>
        <source>File “%1” does not exist.</source>
        <translation>ファイル「%1」は存在しません。</translation>
    </message>
    <message>
        <source>“%1” was not found in PATH.</source>
        <translation>「%1」はPATHに見つかりませんでした。</translation>
    </message>
    <message>
        <source>Relative entries are never searched: %1</source>
        <translation>相対パスのエントリは検索されません: %1</translation>
    </message>
    <message>
        <source>The command or its environment contains a NUL character.</source>
        <translation>コマンドまたはその環境変数にNUL文字が含まれています。</translation>
    </message>
    <message>
        <source>“%1” is not a valid environment variable name.</source>
        <translation>「%1」は有効な環境変数名ではありません。</translation>
    </message>
    <message>
        <source>The working directory “%1” does not exist.</source>
        <translation>作業ディレクトリ「%1」は存在しません。</translation>
    </message>
    <message>
        <source>The working directory “%1” is not a directory.</source>
        <translation>作業ディレクトリ「%1」はディレクトリではありません。</translation>
    </message>
    <message>
        <source>Cannot change to the working directory “%1”: %2.</source>
        <translation>作業ディレクトリ「%1」に変更できません: %2。</translation>
    </message>
    <message>
        <source>“%1” exists, but the interpreter in its first line does not.</source>
        <translation>「%1」は存在しますが、先頭行のインタープリターが存在しません。</translation>
    </message>
    <message>
        <source>Check its “#!” line.</source>
        <translation>「#!」の行を確認してください。</translation>
    </message>
    <message>
        <source>“%1” cannot be run on this system.</source>
        <translation>「%1」はこのシステムで実行できません。</translation>
    </message>
    <message>
        <source>A script needs a first line such as “#!/bin/sh”.</source>
        <translation>スクリプトには「#!/bin/sh」などの先頭行が必要です。</translation>
    </message>
    <message>
        <source>The command line and environment of “%1” are too long.</source>
        <translation>「%1」のコマンドラインと環境変数が長すぎます。</translation>
    </message>
    <message>
        <source>“%1” could not be started: %2.</source>
        <translation>「%1」を起動できませんでした: %2。</translation>
    </message>
    <message>
        <source>Command: %1
Working directory: %2</source>
        <translation>コマンド: %1
作業ディレクトリ: %2</translation>
    </message>
    <message>
        <source>The server closed its standard output but is still running.</source>
        <translation>サーバーが標準出力を閉じましたが、まだ実行中です。</translation>
    </message>
    <message>
        <source>Restart the server.</source>
        <translation>サーバーを再起動してください。</translation>
    </message>
    <message>
        <source>A message of %1 is longer than the limit of %2.</source>
        <translation>%1のメッセージが上限の%2を超えています。</translation>
    </message>
    <message>
        <source>Ask for less at once, such as a page or a part.</source>
        <translation>ページや一部など、一度に要求する量を減らしてください。</translation>
    </message>
    <message>
        <source>Too much stderr output: from here on, lines are counted but not recorded.</source>
        <translation>stderrの出力が多すぎます。以降は行数のみ数え、記録しません。</translation>
    </message>
    <message>
        <source>%1 lines of stderr (%2) were not recorded here.</source>
        <translation>stderrの%1 行 (%2) はここでは記録されませんでした。</translation>
    </message>
    <message>
        <source>Not sent: the message of %1 exceeds the limit of %2 per message.</source>
        <translation>送信されませんでした: %1のメッセージが、メッセージごとの上限の%2を超えています。</translation>
    </message>
    <message>
        <source>Send less data at once, or a path or URL for the server to read from.</source>
        <translation>一度に送信するデータを減らすか、サーバーが読み取るパスまたはURLを送信してください。</translation>
    </message>
    <message>
        <source>The server is not reading its input; %1 are pending.</source>
        <translation>サーバーが入力を読み取っていません。%1が保留中です。</translation>
    </message>
    <message>
        <source>The server has closed its standard input.</source>
        <translation>サーバーが標準入力を閉じました。</translation>
    </message>
    <message>
        <source>The server closed its standard input before reading this message.</source>
        <translation>サーバーがこのメッセージを読み取る前に標準入力を閉じました。</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2, %3).</source>
        <translation>サーバーはシグナル%1 (%2、%3) で終了しました。</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2, %3) before it wrote anything.</source>
        <translation>サーバーは何も書き込まないうちにシグナル%1 (%2、%3) で終了しました。</translation>
    </message>
    <message>
        <source>The server exited with code %1.</source>
        <translation>サーバーはコード%1で終了しました。</translation>
    </message>
    <message>
        <source>The server exited with code %1 before it wrote anything.</source>
        <translation>サーバーは何も書き込まないうちにコード%1で終了しました。</translation>
    </message>
    <message>
        <source>Last lines of stderr:</source>
        <translation>stderrの最後の行:</translation>
    </message>
</context>
<context>
    <name>sonde::StreamedSubscriptions</name>
    <message>
        <source>The subscription was lost: %1</source>
        <translation>購読が失われました: %1</translation>
    </message>
    <message>
        <source>Subscribing again in %1 s.</source>
        <translation>%1 秒後に再び購読します。</translation>
    </message>
    <message>
        <source>%1 without the ID of its subscription.</source>
        <translation>%1に購読のIDがありません。</translation>
    </message>
    <message>
        <source>%1 names the subscription %2, but came on the stream of %3.</source>
        <translation>%1は購読%2を示していますが、%3のストリームで届きました。</translation>
    </message>
    <message>
        <source>%1 came on the stream of request %2 (%3), which is not a subscription.</source>
        <translation>%1が、購読ではないリクエスト%2 (%3) のストリームで届きました。</translation>
    </message>
    <message>
        <source>%1 for an unknown subscription: %2</source>
        <translation>不明な購読に対する%1: %2</translation>
    </message>
</context>
<context>
    <name>sonde::Subscriptions</name>
    <message>
        <source>The server ended the subscription.</source>
        <translation>サーバーが購読を終了しました。</translation>
    </message>
    <message>
        <source>The server did not acknowledge this resource.</source>
        <translation>サーバーはこのリソースの確認応答を返しませんでした。</translation>
    </message>
</context>
<context>
    <name>sonde::TaskList</name>
    <message>
        <source>Max %1 pages of tasks; the rest was not read.</source>
        <translation>タスクは最大%1 ページです。残りは読み取られませんでした。</translation>
    </message>
</context>
<context>
    <name>sonde::Transport</name>
    <message>
        <source>Not connected to the server.</source>
        <translation>サーバーに接続されていません。</translation>
    </message>
    <message>
        <source>Messages over %1 have no HTTP headers.</source>
        <translation>%1経由のメッセージにHTTPヘッダーはありません。</translation>
    </message>
    <message>
        <source>Send this one without any.</source>
        <translation>ヘッダーなしで送信してください。</translation>
    </message>
    <message>
        <source>The response violates JSON-RPC.</source>
        <translation>レスポンスがJSON-RPCに違反しています。</translation>
    </message>
    <message>
        <source>The response is nested deeper than %1 levels, the limit of Sonde.</source>
        <translation>レスポンスの入れ子がSondeの上限である%1 段を超えています。</translation>
    </message>
</context>
<context>
    <name>sonde::app</name>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>See also</source>
        <translation>関連項目</translation>
    </message>
    <message>
        <source>Synopsis</source>
        <translation>書式</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>説明</translation>
    </message>
    <message>
        <source>Exit status</source>
        <translation>終了ステータス</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>例</translation>
    </message>
    <message>
        <source>expected a command after --</source>
        <translation>--の後にコマンドが必要です</translation>
    </message>
    <message>
        <source>%1 takes no value</source>
        <translation>%1は値を取りません</translation>
    </message>
    <message>
        <source>%1 needs a value: %2</source>
        <translation>%1には値が必要です: %2</translation>
    </message>
    <message>
        <source>common options</source>
        <translation>共通オプション</translation>
    </message>
    <message>
        <source>unknown option &apos;%1&apos;</source>
        <translation>不明なオプション&apos;%1&apos;</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>%1のことですか?</translation>
    </message>
    <message>
        <source>%1 takes only %2</source>
        <translation>%1が取るのは%2のみです</translation>
    </message>
    <message>
        <source>unexpected argument &apos;%1&apos;</source>
        <translation>予期しない引数&apos;%1&apos;</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>%1が必要です</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a positive number of seconds up to 1000000</source>
        <translation>&apos;%1&apos;は1000000以下の正の秒数ではありません</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a positive number of %2</source>
        <translation>&apos;%1&apos;は正の数 (%2) ではありません</translation>
    </message>
    <message>
        <source>Usage:</source>
        <translation>使い方:</translation>
    </message>
    <message>
        <source>Examples:</source>
        <translation>例:</translation>
    </message>
    <message>
        <source>%1: see %2</source>
        <translation>%1: %2を参照</translation>
    </message>
    <message>
        <source>can be repeated</source>
        <translation>繰り返し指定可能</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1および%2</translation>
    </message>
</context>
<context>
    <name>sonde::app::ActionStates</name>
    <message>
        <source>&amp;Start server</source>
        <translation>サーバーを起動(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Restart server</source>
        <translation>サーバーを再起動(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reconnect to server</source>
        <translation>サーバーに再接続(&amp;R)</translation>
    </message>
</context>
<context>
    <name>sonde::app::Actions</name>
    <message>
        <source>Server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>サーバーを追加</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>記録済みセッション</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server…</source>
        <translation>ツール、リソース、プロンプト、サーバーへ移動…</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server or command</source>
        <translation>ツール、リソース、プロンプト、サーバー、コマンドへ移動</translation>
    </message>
    <message>
        <source>Replay ▸</source>
        <translation>リプレイ ▸</translation>
    </message>
    <message>
        <source>Repeat the calls of a recorded session and compare</source>
        <translation>記録済みセッションの呼び出しを繰り返して比較</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Compare two servers or sessions</source>
        <translation>2つのサーバーまたはセッションを比較</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Add server…</source>
        <translation>サーバーを追加(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Import servers…</source>
        <translation>サーバーをインポート(&amp;I)…</translation>
    </message>
    <message>
        <source>Import &amp;calls…</source>
        <translation>呼び出しをインポート(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Export servers…</source>
        <translation>サーバーをエクスポート(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Open session…</source>
        <translation>セッションを開く(&amp;O)…</translation>
    </message>
    <message>
        <source>C&amp;lose tab</source>
        <translation>タブを閉じる(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Reopen closed tab</source>
        <translation>閉じたタブを再び開く(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pin tab</source>
        <translation>タブをピン留め(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>終了(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>元に戻す(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>やり直す(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>切り取り(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>コピー(&amp;C)</translation>
    </message>
    <message>
        <source>Copy arguments as &amp;JSON</source>
        <translation>引数をJSONとしてコピー(&amp;J)</translation>
    </message>
    <message>
        <source>Copy call as &amp;sonde-cli command</source>
        <translation>呼び出しをsonde-cliコマンドとしてコピー(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>貼り付け(&amp;P)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>すべて選択(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>検索(&amp;F)…</translation>
    </message>
    <message>
        <source>Fi&amp;lter tools, resources and prompts</source>
        <translation>ツール、リソース、プロンプトを絞り込む(&amp;L)</translation>
    </message>
    <message>
        <source>Filter the ti&amp;meline</source>
        <translation>タイムラインを絞り込む(&amp;M)</translation>
    </message>
    <message>
        <source>Pr&amp;eferences…</source>
        <translation>設定(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Go to…</source>
        <translation>移動(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Next tab</source>
        <translation>次のタブ(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous tab</source>
        <translation>前のタブ(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Maximise the timeline</source>
        <translation>タイムラインを最大化(&amp;M)</translation>
    </message>
    <message>
        <source>Match &amp;system</source>
        <translation>システムに合わせる(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>ライトテーマ(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>ダークテーマ(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;High contrast theme</source>
        <translation>ハイコントラストテーマ(&amp;H)</translation>
    </message>
    <message>
        <source>Show menu &amp;bar</source>
        <translation>メニューバーを表示(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Open the menu</source>
        <translation>メニューを開く(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Restart server</source>
        <translation>サーバーを再起動(&amp;R)</translation>
    </message>
    <message>
        <source>S&amp;top server</source>
        <translation>サーバーを停止(&amp;T)</translation>
    </message>
    <message>
        <source>Server &amp;info</source>
        <translation>サーバー情報(&amp;I)</translation>
    </message>
    <message>
        <source>Refresh &amp;lists of tools, resources and prompts</source>
        <translation>ツール、リソース、プロンプトの一覧を更新(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Ping server</source>
        <translation>サーバーにping(&amp;P)</translation>
    </message>
    <message>
        <source>Tas&amp;ks</source>
        <translation>タスク(&amp;K)</translation>
    </message>
    <message>
        <source>Run &amp;all saved calls</source>
        <translation>保存済みの呼び出しをすべて実行(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Edit server…</source>
        <translation>サーバーを編集(&amp;E)…</translation>
    </message>
    <message>
        <source>Re&amp;name server…</source>
        <translation>サーバーの名前を変更(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Duplicate server</source>
        <translation>サーバーを複製(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Copy server as mcpServers JSON</source>
        <translation>サーバーをmcpServers JSONとしてコピー(&amp;C)</translation>
    </message>
    <message>
        <source>Re&amp;move server…</source>
        <translation>サーバーを削除(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Replay…</source>
        <translation>リプレイ(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Compare…</source>
        <translation>比較(&amp;C)…</translation>
    </message>
    <message>
        <source>Call &amp;statistics</source>
        <translation>呼び出しの統計(&amp;S)</translation>
    </message>
    <message>
        <source>E&amp;xport session…</source>
        <translation>セッションをエクスポート(&amp;X)…</translation>
    </message>
    <message>
        <source>Session size &amp;limit…</source>
        <translation>セッションサイズの上限(&amp;L)…</translation>
    </message>
    <message>
        <source>Cl&amp;ose session</source>
        <translation>セッションを閉じる(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Call</source>
        <translation>呼び出し(&amp;C)</translation>
    </message>
    <message>
        <source>Ca&amp;ncel call</source>
        <translation>呼び出しをキャンセル(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Older call</source>
        <translation>1つ古い呼び出し(&amp;O)</translation>
    </message>
    <message>
        <source>Ne&amp;wer call</source>
        <translation>1つ新しい呼び出し(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Respond to the server request</source>
        <translation>サーバーからのリクエストに応答(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>マニュアル(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>キーボードショートカット(&amp;K)…</translation>
    </message>
    <message>
        <source>&amp;About Sonde</source>
        <translation>Sondeについて(&amp;A)</translation>
    </message>
</context>
<context>
    <name>sonde::app::ClosableBanner</name>
    <message>
        <source>Close this notice</source>
        <translation>この通知を閉じる</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>sonde::app::CompareController</name>
    <message>
        <source>Not connected.</source>
        <translation>接続されていません。</translation>
    </message>
    <message>
        <source>Connect to it, then compare again.</source>
        <translation>接続してから、もう一度比較してください。</translation>
    </message>
    <message>
        <source>The session was closed.</source>
        <translation>セッションは閉じられました。</translation>
    </message>
    <message>
        <source>not connected; showing its last offering</source>
        <translation>未接続、最後の提供内容を表示中</translation>
    </message>
    <message>
        <source>loading its offering…</source>
        <translation>提供内容を読み込み中…</translation>
    </message>
    <message>
        <source>replay of %1</source>
        <translation>%1のリプレイ</translation>
    </message>
    <message>
        <source>There is no file %1 any more.</source>
        <translation>ファイル %1 はもうありません。</translation>
    </message>
    <message>
        <source>Put it back and compare again, or choose another one.</source>
        <translation>元に戻してもう一度比較するか、別のファイルを選択してください。</translation>
    </message>
    <message>
        <source>The server is not in the list any more.</source>
        <translation>サーバーはもう一覧にありません。</translation>
    </message>
    <message>
        <source>Add it again under this name, or compare with another one.</source>
        <translation>この名前でもう一度追加するか、別のサーバーと比較してください。</translation>
    </message>
</context>
<context>
    <name>sonde::app::CurrentView</name>
    <message>
        <source>Reading the session…</source>
        <translation>セッションを読み取っています…</translation>
    </message>
    <message>
        <source>Nothing listed</source>
        <translation>一覧はありません</translation>
    </message>
    <message>
        <source>The session has no lists of tools, resources or prompts. Its messages are below.</source>
        <translation>このセッションにはツール、リソース、プロンプトの一覧がありません。メッセージは下にあります。</translation>
    </message>
    <message>
        <source>Nothing offered</source>
        <translation>提供なし</translation>
    </message>
    <message>
        <source>The server declares no tools, resources or prompts.</source>
        <translation>サーバーはツール、リソース、プロンプトを宣言していません。</translation>
    </message>
    <message>
        <source>Press ▶ or Enter to start it.</source>
        <translation>▶またはEnterを押すと起動します。</translation>
    </message>
    <message>
        <source>%1: pid %2</source>
        <translation>%1: pid %2</translation>
    </message>
    <message>
        <source>Session %1</source>
        <translation>セッション%1</translation>
    </message>
    <message>
        <source>Session file: %1</source>
        <translation>セッションファイル: %1</translation>
    </message>
    <message>
        <source>▲ Recording in memory only</source>
        <translation>▲ メモリ内のみに記録中</translation>
    </message>
    <message>
        <source>● Recording to %1</source>
        <translation>● %1に記録中</translation>
    </message>
    <message>
        <source>▲ Recording calls only: limit of %1 reached</source>
        <translation>▲ 呼び出しのみ記録中: 上限の%1に達しました</translation>
    </message>
    <message>
        <source> · %1 not stored</source>
        <translation> · %1は未保存</translation>
    </message>
    <message>
        <source>1 record</source>
        <translation>1 件のレコード</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 件のレコード</translation>
    </message>
    <message>
        <source> · %1 of %2</source>
        <translation> · %1/%2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 件のメッセージ</translation>
    </message>
    <message>
        <source>%1 messages</source>
        <translation>%1 件のメッセージ</translation>
    </message>
    <message>
        <source>Press ▶ or Enter to connect to it.</source>
        <translation>▶またはEnterを押すと接続します。</translation>
    </message>
</context>
<context>
    <name>sonde::app::DesktopNotification</name>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
</context>
<context>
    <name>sonde::app::GotoController</name>
    <message>
        <source>Enter opens the saved call, Ctrl+Enter runs it.</source>
        <translation>Enterで保存済みの呼び出しを開き、Ctrl+Enterで実行します。</translation>
    </message>
    <message>
        <source>Enter runs the command.</source>
        <translation>Enterでコマンドを実行します。</translation>
    </message>
    <message>
        <source>Press Enter to open.</source>
        <translation>Enterで開きます。</translation>
    </message>
    <message>
        <source>session · %1</source>
        <translation>セッション · %1</translation>
    </message>
    <message>
        <source>server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>saved call · %1</source>
        <translation>保存済みの呼び出し · %1</translation>
    </message>
    <message>
        <source>recorded session · %1</source>
        <translation>記録済みセッション · %1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>オン</translation>
    </message>
</context>
<context>
    <name>sonde::app::ImportController</name>
    <message>
        <source>Their secrets were not saved.</source>
        <translation>シークレットは保存されませんでした。</translation>
    </message>
    <message>
        <source>Import them again to retry.</source>
        <translation>もう一度インポートして再試行してください。</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>「%1」</translation>
    </message>
    <message>
        <source>”, “</source>
        <translation>」、「</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> ほか%1 件</translation>
    </message>
    <message>
        <source>%1 of %2 imported</source>
        <translation>%2 件中%1 件をインポートしました</translation>
    </message>
    <message>
        <source>Left out: %1. %2</source>
        <translation>除外: %1。%2</translation>
    </message>
    <message>
        <source>Added the missing secrets of “%1”.</source>
        <translation>「%1」の不足していたシークレットを追加しました。</translation>
    </message>
    <message>
        <source>“%1” is already in the list, with its secrets.</source>
        <translation>「%1」は、シークレットも含めてすでに一覧にあります。</translation>
    </message>
    <message>
        <source>Its secrets were not saved.</source>
        <translation>そのシークレットは保存されませんでした。</translation>
    </message>
    <message>
        <source>Import it again to retry.</source>
        <translation>再試行するには、もう一度インポートしてください。</translation>
    </message>
</context>
<context>
    <name>sonde::app::LastState</name>
    <message>
        <source>What was open last time cannot be restored</source>
        <translation>前回開いていたものを復元できません</translation>
    </message>
    <message>
        <source>Sonde did not exit properly last time</source>
        <translation>前回Sondeは正常に終了しませんでした</translation>
    </message>
    <message>
        <source>No session was being recorded.</source>
        <translation>記録中のセッションはありませんでした。</translation>
    </message>
    <message>
        <source>The session is saved: %1</source>
        <translation>セッションは保存されています: %1</translation>
    </message>
    <message>
        <source>The sessions are saved: %1 and %2 more</source>
        <translation>セッションは保存されています: %1ほか%2 件</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
</context>
<context>
    <name>sonde::app::MainWindow</name>
    <message>
        <source>Welcome</source>
        <translation>ようこそ</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>サーバーを追加</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt or server</source>
        <translation>ツール、リソース、プロンプト、サーバーへ移動</translation>
    </message>
    <message>
        <source>Replay a recorded session</source>
        <translation>記録済みセッションをリプレイ</translation>
    </message>
    <message>
        <source>Compare two servers or sessions</source>
        <translation>2つのサーバーまたはセッションを比較</translation>
    </message>
    <message>
        <source>Automatic responses</source>
        <translation>自動応答</translation>
    </message>
    <message>
        <source>Server requests</source>
        <translation>サーバーからのリクエスト</translation>
    </message>
    <message>
        <source>Show the requests of servers</source>
        <translation>サーバーからのリクエストを表示</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>テーマ</translation>
    </message>
    <message>
        <source>Light, dark, high contrast, or match system</source>
        <translation>ライト、ダーク、ハイコントラスト、またはシステムに合わせる</translation>
    </message>
</context>
<context>
    <name>sonde::app::MenuBar</name>
    <message>
        <source>&amp;File</source>
        <translation>ファイル(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>編集(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>表示(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>サーバー(&amp;S)</translation>
    </message>
    <message>
        <source>Sess&amp;ion</source>
        <translation>セッション(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>ツール(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>ヘルプ(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>テーマ(&amp;T)</translation>
    </message>
</context>
<context>
    <name>sonde::app::NameDialog</name>
    <message>
        <source>Rename</source>
        <translation>名前を変更</translation>
    </message>
</context>
<context>
    <name>sonde::app::OfferMenu</name>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Open in another tab</source>
        <translation>別のタブで開く</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>名前をコピー</translation>
    </message>
    <message>
        <source>Copy URI</source>
        <translation>URIをコピー</translation>
    </message>
    <message>
        <source>Copy URI template</source>
        <translation>URIテンプレートをコピー</translation>
    </message>
    <message>
        <source>Copy input schema</source>
        <translation>入力スキーマをコピー</translation>
    </message>
    <message>
        <source>Copy as sonde-cli command</source>
        <translation>sonde-cliコマンドとしてコピー</translation>
    </message>
    <message>
        <source>Filter the timeline for it</source>
        <translation>これでタイムラインを絞り込む</translation>
    </message>
    <message>
        <source>The command could not be made</source>
        <translation>コマンドを作成できませんでした</translation>
    </message>
    <message>
        <source>Copied a command for %1.</source>
        <translation>%1のコマンドをコピーしました。</translation>
    </message>
</context>
<context>
    <name>sonde::app::PreferencesController</name>
    <message>
        <source>%1 Alt or F10 opens the menu while it is hidden.</source>
        <translation>%1非表示の間はAltまたはF10でメニューが開きます。</translation>
    </message>
    <message>
        <source>To show the menu bar again, use the preferences.</source>
        <translation>メニューバーを再び表示するには、設定を使用してください。</translation>
    </message>
    <message>
        <source>To show the menu bar again, press %1.</source>
        <translation>メニューバーを再び表示するには、%1を押してください。</translation>
    </message>
    <message>
        <source>Hide menu bar</source>
        <translation>メニューバーを非表示</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>非表示</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>残す</translation>
    </message>
    <message>
        <source>Forget the remembered arguments of 1 tool?</source>
        <translation>1 個のツールの記憶した引数を消去しますか?</translation>
    </message>
    <message>
        <source>Forget the remembered arguments of %1 tools?</source>
        <translation>%1 個のツールの記憶した引数を消去しますか?</translation>
    </message>
    <message>
        <source>Forget arguments</source>
        <translation>引数を消去</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>消去</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>The arguments could not be forgotten</source>
        <translation>引数を消去できませんでした</translation>
    </message>
</context>
<context>
    <name>sonde::app::RecentFiles</name>
    <message>
        <source>The list of recently used files is not well-formed.</source>
        <translation>最近使ったファイルの一覧の形式が正しくありません。</translation>
    </message>
    <message>
        <source>There is no folder for the list of recently used files.</source>
        <translation>最近使ったファイルの一覧のためのフォルダーがありません。</translation>
    </message>
    <message>
        <source>%1 is being changed by another program.</source>
        <translation>%1は別のプログラムによって変更中です。</translation>
    </message>
</context>
<context>
    <name>sonde::app::ReconnectBar</name>
    <message>
        <source>Reconnect all</source>
        <translation>すべて再接続</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>再接続</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> ほか%1 件</translation>
    </message>
    <message>
        <source>1 server was connected last time</source>
        <translation>前回は1 個のサーバーに接続していました</translation>
    </message>
    <message>
        <source>%1 servers were connected last time</source>
        <translation>前回は%1 個のサーバーに接続していました</translation>
    </message>
</context>
<context>
    <name>sonde::app::ReplayController</name>
    <message>
        <source>%1, current session</source>
        <translation>%1、現在のセッション</translation>
    </message>
    <message>
        <source>%1, session of %2</source>
        <translation>%1、%2のセッション</translation>
    </message>
    <message>
        <source>%1, replayed %2</source>
        <translation>%1、%2にリプレイ</translation>
    </message>
    <message>
        <source>“%1” is not in the list of servers, and how it is started was not saved.</source>
        <translation>「%1」はサーバーの一覧になく、起動方法は保存されていません。</translation>
    </message>
    <message>
        <source>Replay the session again and choose a server.</source>
        <translation>セッションをもう一度リプレイして、サーバーを選択してください。</translation>
    </message>
</context>
<context>
    <name>sonde::app::RequestController</name>
    <message>
        <source>1 request</source>
        <translation>1 件のリクエスト</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 件のリクエスト</translation>
    </message>
    <message>
        <source>%1 is waiting for you</source>
        <translation>%1があなたを待っています</translation>
    </message>
    <message>
        <source>The server sent a request. Its call continues when you respond.</source>
        <translation>サーバーがリクエストを送信しました。応答すると呼び出しが続行されます。</translation>
    </message>
    <message>
        <source>Stop responding to %1 of %2 (%3)</source>
        <translation>%2の%1への応答を停止 (%3)</translation>
    </message>
    <message>
        <source>sent 1 more time</source>
        <translation>さらに1 回送信済み</translation>
    </message>
    <message>
        <source>sent %1 more times</source>
        <translation>さらに%1 回送信済み</translation>
    </message>
    <message>
        <source>1 automatic response ▾</source>
        <translation>1 件の自動応答 ▾</translation>
    </message>
    <message>
        <source>%1 automatic responses ▾</source>
        <translation>%1 件の自動応答 ▾</translation>
    </message>
</context>
<context>
    <name>sonde::app::SavedCallsController</name>
    <message>
        <source>The saved call cannot be opened</source>
        <translation>保存済みの呼び出しを開けません</translation>
    </message>
    <message>
        <source>This server has no tool “%1”.</source>
        <translation>このサーバーにツール「%1」はありません。</translation>
    </message>
    <message>
        <source>A saved call is a small JSON file: a call of a tool, and what is expected of its response. Keep them in a folder beside the source of your server.</source>
        <translation>保存済みの呼び出しは小さなJSONファイルで、ツールの呼び出しと、そのレスポンスに期待する内容を表します。サーバーのソースと同じ場所のフォルダーに保管してください。</translation>
    </message>
    <message>
        <source>From a collection of Postman, Insomnia or Hoppscotch, or from MCP Inspector</source>
        <translation>Postman、Insomnia、Hoppscotchのコレクション、またはMCP Inspectorから</translation>
    </message>
    <message>
        <source>Calls that you save appear here.</source>
        <translation>保存した呼び出しがここに表示されます。</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>フォルダーを選択…</translation>
    </message>
    <message>
        <source>Import calls…</source>
        <translation>呼び出しをインポート…</translation>
    </message>
    <message>
        <source>No saved calls for this server.</source>
        <translation>このサーバーの保存済みの呼び出しはありません。</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>すべて実行</translation>
    </message>
    <message>
        <source>Run all in %1</source>
        <translation>%1のすべてを実行</translation>
    </message>
    <message>
        <source>Run the saved calls of %1 one after the other and compare</source>
        <translation>%1の保存済みの呼び出しを順に実行して比較</translation>
    </message>
    <message>
        <source>Folders…</source>
        <translation>フォルダー…</translation>
    </message>
    <message>
        <source>The call was not saved</source>
        <translation>呼び出しは保存されませんでした</translation>
    </message>
    <message>
        <source>Saved to %1</source>
        <translation>%1に保存しました</translation>
    </message>
    <message>
        <source>%1 of %2 calls imported</source>
        <translation>%2 件中%1 件の呼び出しをインポートしました</translation>
    </message>
    <message>
        <source>Imported 1 call to %2</source>
        <translation>1 件の呼び出しを%2にインポートしました</translation>
    </message>
    <message>
        <source>Imported %1 calls to %2</source>
        <translation>%1 件の呼び出しを%2にインポートしました</translation>
    </message>
    <message>
        <source>Folder of saved calls</source>
        <translation>保存済みの呼び出しのフォルダー</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>名前を変更…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>削除…</translation>
    </message>
    <message>
        <source>Show in file manager</source>
        <translation>ファイルマネージャーで表示</translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation>一覧から削除</translation>
    </message>
    <message>
        <source>Rename saved call</source>
        <translation>保存済みの呼び出しの名前を変更</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名前:</translation>
    </message>
    <message>
        <source>The saved call was not renamed</source>
        <translation>保存済みの呼び出しの名前は変更されませんでした</translation>
    </message>
    <message>
        <source>%1 exists already.</source>
        <translation>%1はすでに存在します。</translation>
    </message>
    <message>
        <source>%1 could not be removed.</source>
        <translation>%1を削除できませんでした。</translation>
    </message>
    <message>
        <source>Delete saved call</source>
        <translation>保存済みの呼び出しを削除</translation>
    </message>
    <message>
        <source>Delete the file %1?</source>
        <translation>ファイル%1を削除しますか?</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>残す</translation>
    </message>
    <message>
        <source>The saved call was not deleted</source>
        <translation>保存済みの呼び出しは削除されませんでした</translation>
    </message>
    <message>
        <source>The saved calls were not run</source>
        <translation>保存済みの呼び出しは実行されませんでした</translation>
    </message>
    <message>
        <source>No server is started.</source>
        <translation>起動しているサーバーがありません。</translation>
    </message>
    <message>
        <source>“%1” is not connected.</source>
        <translation>「%1」は接続されていません。</translation>
    </message>
    <message>
        <source>Start it first.</source>
        <translation>先に起動してください。</translation>
    </message>
    <message>
        <source>%1 has no saved calls for this server.</source>
        <translation>%1にこのサーバーの保存済みの呼び出しはありません。</translation>
    </message>
    <message>
        <source>1 saved call was skipped</source>
        <translation>1 件の保存済みの呼び出しが除外されました</translation>
    </message>
    <message>
        <source>%1 saved calls were skipped</source>
        <translation>%1 件の保存済みの呼び出しが除外されました</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1ほか%2 件</translation>
    </message>
    <message>
        <source>Run saved calls?</source>
        <translation>保存済みの呼び出しを実行しますか?</translation>
    </message>
    <message>
        <source>These saved calls use tools that may be destructive: %1.</source>
        <translation>これらの保存済みの呼び出しは、破壊的である可能性のあるツールを使用します: %1。</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>実行されませんでした</translation>
    </message>
    <message>
        <source>The server is not in the list any more.</source>
        <translation>サーバーはもう一覧にありません。</translation>
    </message>
    <message>
        <source>%1 was not changed</source>
        <translation>%1は変更されませんでした</translation>
    </message>
    <message>
        <source>Saved: %1 now has what it expects.</source>
        <translation>保存しました: %1の期待する内容を更新しました。</translation>
    </message>
    <message>
        <source>The server was removed.</source>
        <translation>サーバーは削除されました。</translation>
    </message>
    <message>
        <source>Start server</source>
        <translation>サーバーを起動</translation>
    </message>
    <message>
        <source>Not changed: %1</source>
        <translation>変更されませんでした: %1</translation>
    </message>
    <message>
        <source>The calls of a folder run in the order of their file names. Add that call, or rename one of the two.</source>
        <translation>フォルダーの呼び出しはファイル名の順に実行されます。その呼び出しを追加するか、どちらかの名前を変更してください。</translation>
    </message>
</context>
<context>
    <name>sonde::app::SecretKeeper</name>
    <message>
        <source>A secret of “%1” is still in the keychain</source>
        <translation>「%1」のシークレットがまだキーチェーンにあります</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 個のサーバー</translation>
    </message>
    <message>
        <source>Secrets of %1</source>
        <translation>%1のシークレット</translation>
    </message>
    <message>
        <source>Without a keychain the values can be kept until Sonde is closed. They are never written to a file.</source>
        <translation>キーチェーンがない場合、値はSondeを閉じるまで保持できます。ファイルに書き込まれることはありません。</translation>
    </message>
    <message>
        <source>Keep for this session only</source>
        <translation>このセッションの間だけ保持</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試行</translation>
    </message>
</context>
<context>
    <name>sonde::app::SendController</name>
    <message>
        <source>Call %1?</source>
        <translation>%1を呼び出しますか?</translation>
    </message>
    <message>
        <source>This message calls “%1”, which may be destructive.</source>
        <translation>このメッセージは「%1」を呼び出します。このツールは破壊的である可能性があります。</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>それでも送信</translation>
    </message>
    <message>
        <source>The message could not be sent</source>
        <translation>メッセージを送信できませんでした</translation>
    </message>
</context>
<context>
    <name>sonde::app::ServerController</name>
    <message>
        <source>No server named “%1”</source>
        <translation>「%1」という名前のサーバーはありません</translation>
    </message>
    <message>
        <source>Add it with %1.</source>
        <translation>%1で追加してください。</translation>
    </message>
    <message>
        <source>The server could not be added</source>
        <translation>サーバーを追加できませんでした</translation>
    </message>
    <message>
        <source>Invalid command or URL</source>
        <translation>無効なコマンドまたはURL</translation>
    </message>
    <message>
        <source>The server could not be changed</source>
        <translation>サーバーを変更できませんでした</translation>
    </message>
    <message>
        <source>Rename server</source>
        <translation>サーバーの名前を変更</translation>
    </message>
    <message>
        <source>it must not be empty</source>
        <translation>空にはできません</translation>
    </message>
    <message>
        <source>“%1” is a copy of “%2”. It was not started.</source>
        <translation>「%1」は「%2」の複製です。起動はしていません。</translation>
    </message>
    <message>
        <source>Choose working directory</source>
        <translation>作業ディレクトリを選択</translation>
    </message>
    <message>
        <source>Remove “%1” from the list? Its recorded sessions are kept.</source>
        <translation>「%1」を一覧から削除しますか? 記録済みセッションは残ります。</translation>
    </message>
    <message>
        <source>1 call is running and will be cancelled.</source>
        <translation>実行中の1 件の呼び出しはキャンセルされます。</translation>
    </message>
    <message>
        <source>%1 calls are running and will be cancelled.</source>
        <translation>実行中の%1 件の呼び出しはキャンセルされます。</translation>
    </message>
    <message>
        <source>Remove server</source>
        <translation>サーバーを削除</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>The server could not be removed</source>
        <translation>サーバーを削除できませんでした</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>リプレイ…</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比較…</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>セッションを閉じる</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起動</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Server info</source>
        <translation>サーバー情報</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>編集…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>名前を変更…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>複製</translation>
    </message>
    <message>
        <source>Copy as mcpServers JSON</source>
        <translation>mcpServers JSONとしてコピー</translation>
    </message>
    <message>
        <source>Export servers…</source>
        <translation>サーバーをエクスポート…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>削除…</translation>
    </message>
    <message>
        <source>%1 calls are running or waiting and will be cancelled.</source>
        <translation>%1 件の呼び出しが実行中または待機中で、キャンセルされます。</translation>
    </message>
    <message>
        <source>1 tab with arguments that you entered closes too and cannot be reopened.</source>
        <translation>入力した引数を含む1 個のタブも閉じられ、再度開くことはできません。</translation>
    </message>
    <message>
        <source>%1 tabs with arguments that you entered close too and cannot be reopened.</source>
        <translation>入力した引数を含む%1 個のタブも閉じられ、再度開くことはできません。</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名前:</translation>
    </message>
    <message>
        <source>Name (%1):</source>
        <translation>名前 (%1):</translation>
    </message>
    <message>
        <source>Restart server</source>
        <translation>サーバーを再起動</translation>
    </message>
    <message>
        <source>Reconnect to server</source>
        <translation>サーバーに再接続</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>再接続</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>実行を続ける</translation>
    </message>
</context>
<context>
    <name>sonde::app::Shortcuts</name>
    <message>
        <source>it opens the menu %1</source>
        <translation>メニュー「%1」を開くキーです</translation>
    </message>
    <message>
        <source>it saves the saved call of the tab</source>
        <translation>タブの保存済み呼び出しを保存します</translation>
    </message>
</context>
<context>
    <name>sonde::app::StateFile</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1を読み取れません: %2。</translation>
    </message>
    <message>
        <source>The file was kept as %1.</source>
        <translation>ファイルは%1として残されました。</translation>
    </message>
    <message>
        <source>Remove or repair the file. Until then nothing is kept.</source>
        <translation>ファイルを削除するか修復してください。それまでは何も保持されません。</translation>
    </message>
    <message>
        <source>%1 would be too large.</source>
        <translation>%1が大きくなりすぎます。</translation>
    </message>
</context>
<context>
    <name>sonde::app::StorageWarnings</name>
    <message>
        <source>servers</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>Other users can change your list of servers</source>
        <translation>ほかのユーザーがあなたのサーバーの一覧を変更できます</translation>
    </message>
    <message>
        <source>Restrict access</source>
        <translation>アクセスを制限</translation>
    </message>
    <message>
        <source>Access could not be restricted</source>
        <translation>アクセスを制限できませんでした</translation>
    </message>
    <message>
        <source>sessions</source>
        <translation>セッション</translation>
    </message>
    <message>
        <source>arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>The session file can no longer be written; new records stay in memory</source>
        <translation>セッションファイルに書き込めなくなりました。新しいレコードはメモリ内に残ります</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Change limit…</source>
        <translation>上限を変更…</translation>
    </message>
    <message>
        <source>The session of %1 is close to its limit: %2 of %3</source>
        <translation>%1のセッションが上限に近づいています: %3中%2</translation>
    </message>
    <message>
        <source>Beyond it, calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted, not stored.</source>
        <translation>上限を超えても呼び出しは記録されます。通知、標準エラー出力など、要求していないサーバーの出力は件数のみ数え、保存しません。</translation>
    </message>
    <message>
        <source>The session of %1 has reached its limit of %2</source>
        <translation>%1のセッションが上限の%2に達しました</translation>
    </message>
    <message>
        <source>Calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted from here on, not stored.</source>
        <translation>呼び出しは引き続き記録されます。通知、標準エラー出力など、要求していないサーバーの出力は、以降は件数のみ数え、保存しません。</translation>
    </message>
    <message>
        <source>The list of servers cannot be read</source>
        <translation>サーバーの一覧を読み取れません</translation>
    </message>
    <message>
        <source>Not saved, only kept in memory: %1</source>
        <translation>保存されず、メモリ内のみに保持: %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Changes to the list of servers are still in memory only</source>
        <translation>サーバーの一覧の変更は、まだメモリ内にしかありません</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 件のセッション</translation>
    </message>
    <message>
        <source>the session of “%1”</source>
        <translation>「%1」のセッション</translation>
    </message>
    <message>
        <source>open tabs</source>
        <translation>開いているタブ</translation>
    </message>
</context>
<context>
    <name>sonde::app::TabController</name>
    <message>
        <source>tool</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>template</source>
        <translation>テンプレート</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>%1 (not connected)</source>
        <translation>%1 (未接続)</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>This link comes from the server. Open it in your browser?</source>
        <translation>このリンクはサーバーからのものです。ブラウザーで開きますか?</translation>
    </message>
    <message>
        <source>Started, but the approval could not be saved</source>
        <translation>起動しましたが、承認を保存できませんでした</translation>
    </message>
    <message>
        <source>No response to ping</source>
        <translation>pingへのレスポンスがありません</translation>
    </message>
    <message>
        <source>saved call</source>
        <translation>保存済みの呼び出し</translation>
    </message>
    <message>
        <source>Preview: double-click the tab to keep it</source>
        <translation>プレビュー: タブをダブルクリックすると残ります</translation>
    </message>
    <message>
        <source>%1 calls are still running. Closing their tabs cancels them.</source>
        <translation>%1 件の呼び出しがまだ実行中です。タブを閉じるとキャンセルされます。</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab cancels the calls that are left.</source>
        <translation>「%1」はまだ実行中です。タブを閉じると残りの呼び出しがキャンセルされます。</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab cancels the call.</source>
        <translation>「%1」はまだ実行中です。タブを閉じると呼び出しがキャンセルされます。</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>タブを閉じる</translation>
    </message>
    <message>
        <source>Close tabs</source>
        <translation>タブを閉じる</translation>
    </message>
    <message>
        <source>Cancel call and close</source>
        <translation>呼び出しをキャンセルして閉じる</translation>
    </message>
    <message>
        <source>Cancel calls and close</source>
        <translation>呼び出しをキャンセルして閉じる</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>開いたままにする</translation>
    </message>
    <message>
        <source>%1 continues as a task: see Tasks on the server&apos;s page.</source>
        <translation>%1はタスクとして続行されます。サーバーのページの「タスク」を参照してください。</translation>
    </message>
    <message>
        <source>%1 was cancelled because its tab was closed.</source>
        <translation>タブが閉じられたため、%1はキャンセルされました。</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>ようこそ</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab stops the replay.</source>
        <translation>「%1」はまだ実行中です。タブを閉じるとリプレイが停止します。</translation>
    </message>
    <message>
        <source>Stop replay and close</source>
        <translation>リプレイを停止して閉じる</translation>
    </message>
    <message>
        <source>The arguments of “%1” are not saved in its file.</source>
        <translation>「%1」の引数はファイルに保存されていません。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>sonde::app::TabMenu</name>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Close others</source>
        <translation>ほかのタブを閉じる</translation>
    </message>
    <message>
        <source>Close to the right</source>
        <translation>右側のタブを閉じる</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>ピン留めを外す</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>ピン留め</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>複製</translation>
    </message>
</context>
<context>
    <name>sonde::app::UseController</name>
    <message>
        <source>Use in…</source>
        <translation>使用先…</translation>
    </message>
    <message>
        <source>saved call</source>
        <translation>保存済みの呼び出し</translation>
    </message>
    <message>
        <source>open tab</source>
        <translation>開いているタブ</translation>
    </message>
    <message>
        <source>Not used: the JSON of these arguments has to be fixed first.</source>
        <translation>使用されませんでした: 先にこれらの引数のJSONを修正する必要があります。</translation>
    </message>
</context>
<context>
    <name>sonde::app::WaitingTab</name>
    <message>
        <source>Reconnect</source>
        <translation>再接続</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>Secrets and very long values were not saved. Enter them again.</source>
        <translation>シークレットと非常に長い値は保存されませんでした。もう一度入力してください。</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未接続</translation>
    </message>
    <message>
        <source>What you typed is kept. Nothing runs until you reconnect.</source>
        <translation>入力した内容は保持されます。再接続するまで何も実行されません。</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>接続済み</translation>
    </message>
    <message>
        <source>Waiting for the lists of the server…</source>
        <translation>サーバーの一覧を待っています…</translation>
    </message>
    <message>
        <source>No longer offered by the server</source>
        <translation>サーバーはもう提供していません</translation>
    </message>
    <message>
        <source>What you typed is kept.</source>
        <translation>入力した内容は保持されます。</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>接続中</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Saved calls · %1</source>
        <translation>保存済みの呼び出し · %1</translation>
    </message>
    <message>
        <source>Nothing runs until you reconnect.</source>
        <translation>再接続するまで何も実行されません。</translation>
    </message>
</context>
<context>
    <name>sonde::app::WarningBar</name>
    <message>
        <source>Suggested action</source>
        <translation>推奨される操作</translation>
    </message>
</context>
<context>
    <name>sonde::app::WindowController</name>
    <message>
        <source>1 call is running. Quitting cancels it.</source>
        <translation>1 件の呼び出しが実行中です。終了するとキャンセルされます。</translation>
    </message>
    <message>
        <source>%1 calls are running. Quitting cancels them.</source>
        <translation>%1 件の呼び出しが実行中です。終了するとキャンセルされます。</translation>
    </message>
    <message>
        <source>Quit Sonde</source>
        <translation>Sondeを終了</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>実行を続ける</translation>
    </message>
    <message>
        <source>%1 calls are running or waiting. Quitting cancels them.</source>
        <translation>%1 件の呼び出しが実行中または待機中です。終了するとキャンセルされます。</translation>
    </message>
    <message>
        <source>Not saved, only kept in memory: %1. Quitting discards it.</source>
        <translation>保存されておらず、メモリ内にのみ保持されています: %1。終了すると失われます。</translation>
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
        <translation>実行中の呼び出しも、応答を待っているサーバーもなくなると、言語が変わります。</translation>
    </message>
</context>
<context>
    <name>sonde::app::WindowState</name>
    <message>
        <source>it is damaged</source>
        <translation>破損しています</translation>
    </message>
    <message>
        <source>it was written by a newer version of Sonde</source>
        <translation>新しいバージョンのSondeで書き込まれています</translation>
    </message>
</context>
<context>
    <name>sonde::app::Workspace</name>
    <message>
        <source>Demo server</source>
        <translation>デモサーバー</translation>
    </message>
    <message>
        <source>The sign-in of “%1” is still in the keychain</source>
        <translation>「%1」のサインインがまだキーチェーンにあります</translation>
    </message>
    <message>
        <source>The tokens of “%1” were not revoked</source>
        <translation>「%1」のトークンは失効していません</translation>
    </message>
    <message>
        <source>A server with this name already exists.</source>
        <translation>この名前のサーバーはすでに存在します。</translation>
    </message>
    <message>
        <source>The session %1 cannot be opened</source>
        <translation>セッション%1を開けません</translation>
    </message>
    <message>
        <source>1 part is damaged and was skipped.</source>
        <translation>1 か所が破損しているため、読み飛ばされました。</translation>
    </message>
    <message>
        <source>%1 parts are damaged and were skipped.</source>
        <translation>%1 か所が破損しているため、読み飛ばされました。</translation>
    </message>
    <message>
        <source> The rest is shown.</source>
        <translation> 残りは表示されています。</translation>
    </message>
    <message>
        <source>At byte %1: %2</source>
        <translation>バイト%1: %2</translation>
    </message>
    <message>
        <source>At bytes %1: %2</source>
        <translation>バイト%1: %2</translation>
    </message>
    <message>
        <source>%1 more; sonde-cli log lists them.</source>
        <translation>ほか%1 件。sonde-cli logで一覧表示できます。</translation>
    </message>
    <message>
        <source>Parts of this session are damaged</source>
        <translation>このセッションは一部が破損しています</translation>
    </message>
</context>
<context>
    <name>sonde::app::WorkspaceItem</name>
    <message>
        <source>recorded %1</source>
        <translation>%1に記録</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source> · built in</source>
        <translation> · 内蔵</translation>
    </message>
</context>
<context>
    <name>sonde::json</name>
    <message>
        <source>Unexpected NUL byte.</source>
        <translation>予期しないNULバイトです。</translation>
    </message>
    <message>
        <source>Unexpected control character U+%1.</source>
        <translation>予期しない制御文字U+%1です。</translation>
    </message>
    <message>
        <source>Byte 0x%1 is not valid UTF-8.</source>
        <translation>バイト0x%1は有効なUTF-8ではありません。</translation>
    </message>
    <message>
        <source>Unexpected &apos;%1&apos;.</source>
        <translation>予期しない&apos;%1&apos;です。</translation>
    </message>
    <message>
        <source>The text begins with a byte order mark.</source>
        <translation>テキストがバイト順マークで始まっています。</translation>
    </message>
    <message>
        <source>Unexpected text after the value.</source>
        <translation>値の後に予期しないテキストがあります。</translation>
    </message>
    <message>
        <source>Expected a value before &apos;%1&apos;.</source>
        <translation>&apos;%1&apos;の前に値が必要です。</translation>
    </message>
    <message>
        <source>Expected a value before &apos;,&apos;.</source>
        <translation>&apos;,&apos;の前に値が必要です。</translation>
    </message>
    <message>
        <source>Expected &apos;,&apos; or &apos;%1&apos;.</source>
        <translation>&apos;,&apos;または&apos;%1&apos;が必要です。</translation>
    </message>
    <message>
        <source>Expected a property before &apos;%1&apos;.</source>
        <translation>&apos;%1&apos;の前にプロパティが必要です。</translation>
    </message>
    <message>
        <source>Expected a property before &apos;,&apos;.</source>
        <translation>&apos;,&apos;の前にプロパティが必要です。</translation>
    </message>
    <message>
        <source>Expected a key before &apos;%1&apos;.</source>
        <translation>&apos;%1&apos;の前にキーが必要です。</translation>
    </message>
    <message>
        <source>Expected &apos;:&apos;.</source>
        <translation>&apos;:&apos;が必要です。</translation>
    </message>
    <message>
        <source>Nested deeper than %1 levels; the contents of this container are not read.</source>
        <translation>入れ子が%1 段より深くなっています。このコンテナーの内容は読み取られません。</translation>
    </message>
    <message>
        <source>Expected &apos;%2&apos; instead of &apos;%1&apos;.</source>
        <translation>&apos;%1&apos;ではなく&apos;%2&apos;が必要です。</translation>
    </message>
    <message>
        <source>Duplicate key &apos;%1&apos;; most parsers keep only the last.</source>
        <translation>キー&apos;%1&apos;が重複しています。ほとんどのパーサーは最後のものだけを残します。</translation>
    </message>
    <message>
        <source>Unexpected end of text; expected &apos;%1&apos;.</source>
        <translation>テキストが途中で終わっています。&apos;%1&apos;が必要です。</translation>
    </message>
    <message>
        <source>The text is empty.</source>
        <translation>テキストが空です。</translation>
    </message>
    <message>
        <source>Further findings not listed: %1</source>
        <translation>一覧に示していないその他の検出事項: %1</translation>
    </message>
    <message>
        <source>Unterminated string.</source>
        <translation>文字列が終端していません。</translation>
    </message>
    <message>
        <source>&apos;\u&apos; must be followed by four hexadecimal digits.</source>
        <translation>&apos;\u&apos;の後には4桁の16進数が必要です。</translation>
    </message>
    <message>
        <source>Invalid escape sequence.</source>
        <translation>無効なエスケープシーケンスです。</translation>
    </message>
    <message>
        <source>Unpaired surrogate; most parsers reject it.</source>
        <translation>対になっていないサロゲートです。ほとんどのパーサーが拒否します。</translation>
    </message>
    <message>
        <source>Number outside the range of a 64-bit integer or a double; most parsers read a different value.</source>
        <translation>64ビット整数またはdoubleの範囲外の数値です。ほとんどのパーサーは異なる値として読み取ります。</translation>
    </message>
    <message>
        <source>Invalid number.</source>
        <translation>無効な数値です。</translation>
    </message>
    <message>
        <source>The text has %1 bytes; the limit is %2.</source>
        <translation>テキストは%1 バイトですが、上限は%2 バイトです。</translation>
    </message>
</context>
<context>
    <name>sonde::schema</name>
    <message>
        <source>unclosed “[”</source>
        <translation>「[」が閉じられていません</translation>
    </message>
    <message>
        <source>a quantifier follows another quantifier</source>
        <translation>量指定子の後に別の量指定子が続いています</translation>
    </message>
    <message>
        <source>“%1” is not a valid group</source>
        <translation>「%1」は有効なグループではありません</translation>
    </message>
    <message>
        <source>it ends in a backslash</source>
        <translation>バックスラッシュで終わっています</translation>
    </message>
    <message>
        <source>“\%1” is not a valid escape in ECMA-262</source>
        <translation>「\%1」はECMA-262の有効なエスケープではありません</translation>
    </message>
    <message>
        <source>“\u” is not followed by a character&apos;s number</source>
        <translation>「\u」の後に文字の番号がありません</translation>
    </message>
    <message>
        <source>“\p” is not followed by a property in braces</source>
        <translation>「\p」の後に波括弧で囲んだプロパティがありません</translation>
    </message>
    <message>
        <source>it is too long</source>
        <translation>長すぎます</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>文字列</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a boolean</source>
        <translation>ブール値</translation>
    </message>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>配列</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>オブジェクト</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1または%2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1および%2</translation>
    </message>
    <message>
        <source>Give %1</source>
        <translation>%1を指定してください</translation>
    </message>
    <message>
        <source>, or </source>
        <translation>、または</translation>
    </message>
    <message>
        <source>Give either %1 or %2</source>
        <translation>%1または%2のどちらかを指定してください</translation>
    </message>
    <message>
        <source>“%1” is %2</source>
        <translation>「%1」が%2</translation>
    </message>
    <message>
        <source>“%1” is given</source>
        <translation>「%1」が指定済み</translation>
    </message>
    <message>
        <source>must be at most %1</source>
        <translation>%1以下である必要があります</translation>
    </message>
    <message>
        <source>must be at least %1</source>
        <translation>%1以上である必要があります</translation>
    </message>
    <message>
        <source>must be less than %1</source>
        <translation>%1未満である必要があります</translation>
    </message>
    <message>
        <source>must be greater than %1</source>
        <translation>%1より大きい必要があります</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>整数である必要があります</translation>
    </message>
    <message>
        <source>must be a multiple of %1</source>
        <translation>%1の倍数である必要があります</translation>
    </message>
    <message>
        <source>must have at most %1 character, has %2</source>
        <translation>最大%1 文字にする必要があります (現在%2 文字)</translation>
    </message>
    <message>
        <source>must have at most %1 characters, has %2</source>
        <translation>最大%1 文字にする必要があります (現在%2 文字)</translation>
    </message>
    <message>
        <source>must have at least %1 character, has %2</source>
        <translation>%1 文字以上にする必要があります (現在%2 文字)</translation>
    </message>
    <message>
        <source>must have at least %1 characters, has %2</source>
        <translation>%1 文字以上にする必要があります (現在%2 文字)</translation>
    </message>
    <message>
        <source>must have at most %1 item, has %2</source>
        <translation>要素を最大%1 個にする必要があります (現在%2 個)</translation>
    </message>
    <message>
        <source>must have at most %1 items, has %2</source>
        <translation>要素を最大%1 個にする必要があります (現在%2 個)</translation>
    </message>
    <message>
        <source>must have at least %1 item, has %2</source>
        <translation>要素を%1 個以上にする必要があります (現在%2 個)</translation>
    </message>
    <message>
        <source>must have at least %1 items, has %2</source>
        <translation>要素を%1 個以上にする必要があります (現在%2 個)</translation>
    </message>
    <message>
        <source>must have at most %1 property, has %2</source>
        <translation>プロパティを最大%1 個にする必要があります (現在%2 個)</translation>
    </message>
    <message>
        <source>must have at most %1 properties, has %2</source>
        <translation>プロパティを最大%1 個にする必要があります (現在%2 個)</translation>
    </message>
    <message>
        <source>must have at least %1 property, has %2</source>
        <translation>プロパティを%1 個以上にする必要があります (現在%2 個)</translation>
    </message>
    <message>
        <source>must have at least %1 properties, has %2</source>
        <translation>プロパティを%1 個以上にする必要があります (現在%2 個)</translation>
    </message>
    <message>
        <source>must have at most %1 item that %2; it has %3</source>
        <translation>%2要素を最大%1 個にする必要があります (現在%3 個)</translation>
    </message>
    <message>
        <source>must have at most %1 items each of which %2; it has %3</source>
        <translation>%2要素を最大%1 個にする必要があります (現在%3 個)</translation>
    </message>
    <message>
        <source>must have at least %1 item that %2</source>
        <translation>%2要素が%1 個以上必要です</translation>
    </message>
    <message>
        <source>must have at least %1 items each of which %2; it has %3</source>
        <translation>%2要素が%1 個以上必要です (現在%3 個)</translation>
    </message>
    <message>
        <source>must not be a multiple of %1</source>
        <translation>%1の倍数であってはなりません</translation>
    </message>
    <message>
        <source>is %1</source>
        <translation>%1である</translation>
    </message>
    <message>
        <source>is at least %1</source>
        <translation>%1以上である</translation>
    </message>
    <message>
        <source>is at most %1</source>
        <translation>%1以下である</translation>
    </message>
    <message>
        <source>is greater than %1</source>
        <translation>%1より大きい</translation>
    </message>
    <message>
        <source>is less than %1</source>
        <translation>%1未満である</translation>
    </message>
    <message>
        <source>is a multiple of %1</source>
        <translation>%1の倍数である</translation>
    </message>
    <message>
        <source>matches the pattern %1</source>
        <translation>パターン%1に一致する</translation>
    </message>
    <message>
        <source>has %1</source>
        <translation>%1を持つ</translation>
    </message>
    <message>
        <source>is “%1”</source>
        <translation>「%1」である</translation>
    </message>
    <message>
        <source>must be %1</source>
        <translation>%1である必要があります</translation>
    </message>
    <message>
        <source>cannot have any value</source>
        <translation>どの値も取れません</translation>
    </message>
    <message>
        <source>must be one of %1 and %2 more</source>
        <translation>%1とほか%2 個のいずれかである必要があります</translation>
    </message>
    <message>
        <source>must be one of %1</source>
        <translation>%1のいずれかである必要があります</translation>
    </message>
    <message>
        <source> (did you mean “%1”?)</source>
        <translation> (「%1」のことですか?)</translation>
    </message>
    <message>
        <source>must not be empty</source>
        <translation>空にできません</translation>
    </message>
    <message>
        <source>must match the pattern %1</source>
        <translation>パターン%1に一致する必要があります</translation>
    </message>
    <message>
        <source>%1, such as “%2”</source>
        <translation>%1 (例: 「%2」)</translation>
    </message>
    <message>
        <source>a date and time</source>
        <translation>日時</translation>
    </message>
    <message>
        <source>a date</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>a time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>a duration</source>
        <translation>期間</translation>
    </message>
    <message>
        <source>an email address</source>
        <translation>メールアドレス</translation>
    </message>
    <message>
        <source>a host name</source>
        <translation>ホスト名</translation>
    </message>
    <message>
        <source>an IPv4 address</source>
        <translation>IPv4アドレス</translation>
    </message>
    <message>
        <source>an IPv6 address</source>
        <translation>IPv6アドレス</translation>
    </message>
    <message>
        <source>a URI</source>
        <translation>URI</translation>
    </message>
    <message>
        <source>a URI or a relative reference</source>
        <translation>URIまたは相対参照</translation>
    </message>
    <message>
        <source>an IRI</source>
        <translation>IRI</translation>
    </message>
    <message>
        <source>an IRI or a relative reference</source>
        <translation>IRIまたは相対参照</translation>
    </message>
    <message>
        <source>a URI template</source>
        <translation>URIテンプレート</translation>
    </message>
    <message>
        <source>a UUID</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>a JSON Pointer</source>
        <translation>JSONポインター</translation>
    </message>
    <message>
        <source>a relative JSON Pointer</source>
        <translation>相対JSONポインター</translation>
    </message>
    <message>
        <source>a regular expression</source>
        <translation>正規表現</translation>
    </message>
    <message>
        <source>must match the format “%1”</source>
        <translation>形式「%1」に一致する必要があります</translation>
    </message>
    <message>
        <source>should match the format “%1”</source>
        <translation>形式「%1」に一致することが推奨されます</translation>
    </message>
    <message>
        <source>must be %1 such as %2</source>
        <translation>%1である必要があります (例: %2)</translation>
    </message>
    <message>
        <source>should be %1 such as %2</source>
        <translation>%1であることが推奨されます (例: %2)</translation>
    </message>
    <message>
        <source>must be encoded in %1: %2</source>
        <translation>%1でエンコードされている必要があります: %2</translation>
    </message>
    <message>
        <source>should be encoded in %1: %2</source>
        <translation>%1でエンコードされていることが推奨されます: %2</translation>
    </message>
    <message>
        <source>must hold a text of the media type %1</source>
        <translation>メディアタイプ%1のテキストである必要があります</translation>
    </message>
    <message>
        <source>should hold a text of the media type %1</source>
        <translation>メディアタイプ%1のテキストであることが推奨されます</translation>
    </message>
    <message>
        <source>has the required form</source>
        <translation>必要な形式を持つ</translation>
    </message>
    <message>
        <source>must have unique items: items %1 and %2 are equal</source>
        <translation>要素は一意である必要があります: 要素%1と%2が同じです</translation>
    </message>
    <message>
        <source>is required</source>
        <translation>必須です</translation>
    </message>
    <message>
        <source>is not allowed here</source>
        <translation>ここでは許可されません</translation>
    </message>
    <message>
        <source>is not allowed here: there can be only 1 item</source>
        <translation>ここでは許可されません: 要素は1 個までです</translation>
    </message>
    <message>
        <source>is not allowed here: there can be only %1 items</source>
        <translation>ここでは許可されません: 要素は%1 個までです</translation>
    </message>
    <message>
        <source>%1 cannot be given</source>
        <translation>%1は指定できません</translation>
    </message>
    <message>
        <source>%1 cannot both be given</source>
        <translation>%1は同時に指定できません</translation>
    </message>
    <message>
        <source>%1 cannot all be given</source>
        <translation>%1はすべてを同時に指定できません</translation>
    </message>
    <message>
        <source>Neither %1 nor %2 can be given</source>
        <translation>%1も%2も指定できません</translation>
    </message>
    <message>
        <source>None of %1 can be given</source>
        <translation>%1はいずれも指定できません</translation>
    </message>
    <message>
        <source>must not be %1</source>
        <translation>%1であってはなりません</translation>
    </message>
    <message>
        <source>must not match the pattern %1</source>
        <translation>パターン%1に一致してはなりません</translation>
    </message>
    <message>
        <source>is not allowed when %1</source>
        <translation>%1の場合は許可されません</translation>
    </message>
    <message>
        <source>has a form that is not allowed</source>
        <translation>許可されない形式です</translation>
    </message>
    <message>
        <source>must match %1</source>
        <translation>%1に適合する必要があります</translation>
    </message>
    <message>
        <source>must match one of %1 alternatives</source>
        <translation>%1 個の選択肢のいずれかに適合する必要があります</translation>
    </message>
    <message>
        <source>Give only one of %1</source>
        <translation>%1のうち1つだけを指定してください</translation>
    </message>
    <message>
        <source>must match only one of %1</source>
        <translation>%1のうち1つだけに適合する必要があります</translation>
    </message>
    <message>
        <source>must match only one of %1 alternatives, matches %2</source>
        <translation>%1 個の選択肢のうち1つだけに適合する必要がありますが、%2 個に適合しています</translation>
    </message>
    <message>
        <source>The name “%1” %2</source>
        <translation>名前「%1」: %2</translation>
    </message>
    <message>
        <source>%1 when %2</source>
        <translation>%1 (%2の場合)</translation>
    </message>
    <message>
        <source>%1 unless %2</source>
        <translation>%1 (%2の場合を除く)</translation>
    </message>
    <message>
        <source>not checked: not a valid schema</source>
        <translation>未検証: 有効なスキーマではありません</translation>
    </message>
    <message>
        <source>not checked: the schema is nested deeper than %1 levels</source>
        <translation>未検証: スキーマの入れ子が%1 段より深くなっています</translation>
    </message>
    <message>
        <source>not checked: the schema is too large or too complex</source>
        <translation>未検証: スキーマが大きすぎるか複雑すぎます</translation>
    </message>
    <message>
        <source>not checked: “%1” cannot be resolved; remote schemas are never fetched</source>
        <translation>未検証: 「%1」を解決できません。リモートのスキーマは取得されません</translation>
    </message>
    <message>
        <source>not checked: “%1” refers to itself</source>
        <translation>未検証: 「%1」が自身を参照しています</translation>
    </message>
    <message>
        <source>not checked: part of the schema could not be applied</source>
        <translation>未検証: スキーマの一部を適用できませんでした</translation>
    </message>
    <message>
        <source>not checked: unknown type “%1”</source>
        <translation>未検証: 不明な型「%1」</translation>
    </message>
    <message>
        <source>not checked: whether it is a multiple of %1</source>
        <translation>未検証: %1の倍数かどうか</translation>
    </message>
    <message>
        <source>not checked: the pattern %1 cannot be used: %2</source>
        <translation>未検証: パターン%1を使用できません: %2</translation>
    </message>
    <message>
        <source>not checked: the pattern %1 takes too long to evaluate</source>
        <translation>未検証: パターン%1の評価に時間がかかりすぎます</translation>
    </message>
    <message>
        <source>character %1, “%2”, is not allowed</source>
        <translation>%1 文字目の「%2」は許可されません</translation>
    </message>
    <message>
        <source>character %1 is behind the padding</source>
        <translation>%1 文字目がパディングの後にあります</translation>
    </message>
    <message>
        <source>the last byte is incomplete</source>
        <translation>最後のバイトが不完全です</translation>
    </message>
    <message>
        <source>it must end with “%1”</source>
        <translation>「%1」で終わる必要があります</translation>
    </message>
    <message>
        <source>it must not end with “=”</source>
        <translation>「=」で終わってはなりません</translation>
    </message>
    <message>
        <source>must be valid JSON</source>
        <translation>有効なJSONである必要があります</translation>
    </message>
    <message>
        <source>should be valid JSON</source>
        <translation>有効なJSONであることが推奨されます</translation>
    </message>
    <message>
        <source>not checked: “%1” cannot be resolved</source>
        <translation>未検証: 「%1」を解決できません</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AbbreviatedRuns</name>
    <message>
        <source>… %1 more characters …</source>
        <translation>… ほか%1 文字 …</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AboutDialog</name>
    <message>
        <source>About Sonde</source>
        <translation>Sondeについて</translation>
    </message>
    <message>
        <source>Native explorer for Model Context Protocol servers</source>
        <translation>Model Context Protocolサーバーのネイティブエクスプローラー</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>バージョン</translation>
    </message>
    <message>
        <source>© 2026 The Sonde developers. Sonde is free software under the Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0</source>
        <translation>© 2026 The Sonde developers. SondeはApache License, Version 2.0に基づくフリーソフトウェアです: https://www.apache.org/licenses/LICENSE-2.0</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>ライブラリ</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>ライセンス</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>バージョンをコピー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AddressBox</name>
    <message>
        <source>(no host)</source>
        <translation>(ホストなし)</translation>
    </message>
    <message>
        <source>Host: %1</source>
        <translation>ホスト: %1</translation>
    </message>
    <message>
        <source>The whole URL</source>
        <translation>URL全体</translation>
    </message>
    <message>
        <source>Copy URL</source>
        <translation>URLをコピー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AddressEditor</name>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>ブラウザーで開く</translation>
    </message>
    <message>
        <source>Enter a URL to open it in the browser.</source>
        <translation>URLを入力すると、ブラウザーで開けます。</translation>
    </message>
    <message>
        <source>This URL is too long to be opened.</source>
        <translation>このURLは長すぎて開けません。</translation>
    </message>
    <message>
        <source>Open in the browser, after a confirmation</source>
        <translation>確認の後、ブラウザーで開きます</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ApprovalDialog</name>
    <message>
        <source>Start this program?</source>
        <translation>このプログラムを起動しますか?</translation>
    </message>
    <message>
        <source>Connect to this server?</source>
        <translation>このサーバーに接続しますか?</translation>
    </message>
    <message>
        <source>“%1” wants to start this program. It runs with your permissions and can read, change or send anything you can.</source>
        <translation>「%1」がこのプログラムを起動しようとしています。プログラムはあなたの権限で実行され、あなたにできる読み取り、変更、送信をすべて行えます。</translation>
    </message>
    <message>
        <source>“%1” wants to connect to this server. Sonde will send the recorded calls to it.</source>
        <translation>「%1」がこのサーバーに接続しようとしています。Sondeは記録された呼び出しをこのサーバーに送信します。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起動</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>接続</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ApprovalView</name>
    <message>
        <source>Start</source>
        <translation>起動</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>This server has changed since you approved it</source>
        <translation>このサーバーは承認した後に変更されています</translation>
    </message>
    <message>
        <source>Start this program?</source>
        <translation>このプログラムを起動しますか?</translation>
    </message>
    <message>
        <source>Connect to this server?</source>
        <translation>このサーバーに接続しますか?</translation>
    </message>
    <message>
        <source>It runs with your permissions and can read, change or send anything you can.</source>
        <translation>プログラムはあなたの権限で実行され、あなたにできる読み取り、変更、送信をすべて行えます。</translation>
    </message>
    <message>
        <source>Sonde sends requests to this address.</source>
        <translation>Sondeはこのアドレスにリクエストを送信します。</translation>
    </message>
    <message>
        <source>Sonde sends the headers below with every request.</source>
        <translation>Sondeはすべてのリクエストとともに以下のヘッダーを送信します。</translation>
    </message>
    <message>
        <source>Nothing has been started or sent yet. Sonde will ask again if any of this changes.</source>
        <translation>まだ何も起動も送信もされていません。これらのいずれかが変わると、もう一度確認します。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>接続</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ArgumentSuggestions</name>
    <message>
        <source>%1 more; type to narrow the list</source>
        <translation>ほか%1 件。入力して絞り込めます</translation>
    </message>
    <message>
        <source>More; type to narrow the list</source>
        <translation>ほかにもあります。入力して絞り込めます</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AudioModule</name>
    <message>
        <source>Qt Multimedia has no backend that can be loaded.</source>
        <translation>Qt Multimediaに読み込めるバックエンドがありません。</translation>
    </message>
    <message>
        <source>There is no sound device.</source>
        <translation>サウンドデバイスがありません。</translation>
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
        <translation>音声</translation>
    </message>
    <message>
        <source>Open in player</source>
        <translation>プレーヤーで開く</translation>
    </message>
    <message>
        <source>Open in another program</source>
        <translation>別のプログラムで開く</translation>
    </message>
    <message>
        <source>Sonde&apos;s audio player is not installed. Open the audio in another program, or save it.</source>
        <translation>Sondeの音声プレーヤーがインストールされていません。音声を別のプログラムで開くか、保存してください。</translation>
    </message>
    <message>
        <source>Not recognized as audio. You can save it.</source>
        <translation>音声として認識できません。保存することはできます。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>再生</translation>
    </message>
    <message>
        <source>Pause audio</source>
        <translation>音声を一時停止</translation>
    </message>
    <message>
        <source>Play audio</source>
        <translation>音声を再生</translation>
    </message>
    <message>
        <source>Cannot be played. %1</source>
        <translation>再生できません。%1</translation>
    </message>
    <message>
        <source>Not opened: %1</source>
        <translation>開けませんでした: %1</translation>
    </message>
    <message>
        <source>Not opened: no program for audio files was found. Save it instead.</source>
        <translation>開けませんでした: 音声ファイル用のプログラムが見つかりません。代わりに保存してください。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::BooleanEditor</name>
    <message>
        <source>Omitted</source>
        <translation>省略</translation>
    </message>
</context>
<context>
    <name>sonde::ui::BytesText</name>
    <message>
        <source>… 1 more byte</source>
        <translation>… ほか1 バイト</translation>
    </message>
    <message>
        <source>… %1 more bytes</source>
        <translation>… ほか%1 バイト</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallFolderChoice</name>
    <message>
        <source>Folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>No folder chosen</source>
        <translation>フォルダーが選択されていません</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>フォルダーを選択…</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>フォルダー(&amp;F)</translation>
    </message>
    <message>
        <source>Choose a folder, such as one next to the server&apos;s source code.</source>
        <translation>サーバーのソースと同じ場所など、フォルダーを選択してください。</translation>
    </message>
    <message>
        <source>Folder of saved calls</source>
        <translation>保存済みの呼び出しのフォルダー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallHistoryModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>(no arguments)</source>
        <translation>(引数なし)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallHistoryView</name>
    <message>
        <source>Previous calls</source>
        <translation>以前の呼び出し</translation>
    </message>
    <message>
        <source>Compare with the shown response</source>
        <translation>表示中のレスポンスと比較</translation>
    </message>
    <message>
        <source>Compare with the call before it</source>
        <translation>1つ前の呼び出しと比較</translation>
    </message>
    <message>
        <source>Restore arguments</source>
        <translation>引数を復元</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>保存済みの呼び出しとして保存…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallPanel</name>
    <message>
        <source>Call at %1</source>
        <translation>%1の呼び出し</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>フォーム</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>両方</translation>
    </message>
    <message>
        <source>Form and JSON</source>
        <translation>フォームとJSON</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Copy as ▾</source>
        <translation>形式を指定してコピー ▾</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>形式を指定してコピー</translation>
    </message>
    <message>
        <source>Arguments as JSON</source>
        <translation>引数をJSONとして</translation>
    </message>
    <message>
        <source>sonde-cli command</source>
        <translation>sonde-cliコマンド</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>保存済みの呼び出しとして保存…</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>スキーマ</translation>
    </message>
    <message>
        <source>Show the inputSchema of this tool</source>
        <translation>このツールのinputSchemaを表示</translation>
    </message>
    <message>
        <source>Fill with example</source>
        <translation>例を入力</translation>
    </message>
    <message>
        <source>Replace the arguments with a value that the schema allows</source>
        <translation>引数を、スキーマで許可される値に置き換える</translation>
    </message>
    <message>
        <source>No example was found that this schema allows.</source>
        <translation>このスキーマで許可される例は見つかりませんでした。</translation>
    </message>
    <message>
        <source>Filled in from your last call.</source>
        <translation>前回の呼び出しの引数を入力しました。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>クリア</translation>
    </message>
    <message>
        <source>Previous calls</source>
        <translation>以前の呼び出し</translation>
    </message>
    <message>
        <source>Click to show the response; double-click to restore the arguments</source>
        <translation>クリックでレスポンスを表示、ダブルクリックで引数を復元</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>(名前なし)</translation>
    </message>
    <message>
        <source>%1 This tool cannot be called over HTTP. %2</source>
        <translation>%1 このツールはHTTP経由では呼び出せません。%2</translation>
    </message>
    <message>
        <source>%1  Ctrl+↵</source>
        <translation>%1  Ctrl+↵</translation>
    </message>
    <message>
        <source>The server suggests values as you type. Ctrl+Space asks for them.</source>
        <translation>入力中にサーバーが値の候補を提示します。Ctrl+Spaceで候補を要求できます。</translation>
    </message>
    <message>
        <source>No longer offered by the server.</source>
        <translation>サーバーはもう提供していません。</translation>
    </message>
    <message>
        <source>The result will appear here. Press Ctrl+Enter to call.</source>
        <translation>結果はここに表示されます。Ctrl+Enterで呼び出します。</translation>
    </message>
    <message>
        <source>This tool cannot be called over HTTP.</source>
        <translation>このツールはHTTP経由では呼び出せません。</translation>
    </message>
    <message>
        <source>The JSON is no object. The form shows the last value that was one.</source>
        <translation>JSONがオブジェクトではありません。フォームには、最後にオブジェクトだったときの値が表示されています。</translation>
    </message>
    <message>
        <source>Fix the JSON to edit the form: %1. The form shows the last valid value.</source>
        <translation>フォームを編集するには、JSONを修正してください: %1。フォームには最後の有効な値が表示されています。</translation>
    </message>
    <message>
        <source>The form needs a JSON object.</source>
        <translation>フォームにはJSONオブジェクトが必要です。</translation>
    </message>
    <message>
        <source>Fix the JSON first: %1</source>
        <translation>まずJSONを修正してください: %1</translation>
    </message>
    <message>
        <source>not callable over HTTP</source>
        <translation>HTTP経由では呼び出せません</translation>
    </message>
    <message>
        <source>Not valid JSON: %1</source>
        <translation>有効なJSONではありません: %1</translation>
    </message>
    <message>
        <source>Reads %1</source>
        <translation>%1を読み取り</translation>
    </message>
    <message>
        <source>Cancelled by you.</source>
        <translation>キャンセルしました。</translation>
    </message>
    <message>
        <source>Connection lost during the call.</source>
        <translation>呼び出し中に接続が失われました。</translation>
    </message>
    <message>
        <source>Interrupted: the server was restarted.</source>
        <translation>中断: サーバーが再起動されました。</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1: %2 %3</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>レスポンス</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallQuestion</name>
    <message>
        <source>It is annotated as destructive (destructiveHint).</source>
        <translation>破壊的というアノテーションがあります (destructiveHint)。</translation>
    </message>
    <message>
        <source>It is no longer annotated as read-only, so it may be destructive.</source>
        <translation>読み取り専用というアノテーションがなくなったため、破壊的である可能性があります。</translation>
    </message>
    <message>
        <source>It has no annotations, so it may be destructive.</source>
        <translation>アノテーションがないため、破壊的である可能性があります。</translation>
    </message>
    <message>
        <source>It is annotated as writing, but not as destructive.</source>
        <translation>書き込みを行うというアノテーションがありますが、破壊的とはされていません。</translation>
    </message>
    <message>
        <source>It is annotated as read-only.</source>
        <translation>読み取り専用というアノテーションがあります。</translation>
    </message>
    <message>
        <source>Show what changed</source>
        <translation>変更内容を表示</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Call anyway</source>
        <translation>それでも呼び出す</translation>
    </message>
    <message>
        <source>Mark as seen</source>
        <translation>確認済みにする</translation>
    </message>
    <message>
        <source>What changed about the tool</source>
        <translation>ツールの変更内容</translation>
    </message>
    <message>
        <source>Call %1?</source>
        <translation>%1を呼び出しますか?</translation>
    </message>
    <message>
        <source>It has changed since you last saw it.</source>
        <translation>前回確認したときから変更されています。</translation>
    </message>
    <message>
        <source>This tool has changed since you last saw it</source>
        <translation>このツールは前回確認したときから変更されています</translation>
    </message>
    <message>
        <source>What changed about %1</source>
        <translation>%1の変更内容</translation>
    </message>
    <message>
        <source>Do not ask again for this tool</source>
        <translation>このツールについては今後確認しない</translation>
    </message>
    <message>
        <source>Sonde asks again when its definition changes.</source>
        <translation>定義が変わると、Sonde は再び確認します。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallStep</name>
    <message>
        <source>passed</source>
        <translation>合格</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>レスポンスなし</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未送信</translation>
    </message>
    <message>
        <source>error</source>
        <translation>エラー</translation>
    </message>
    <message>
        <source>As expected: %1, after %2.</source>
        <translation>期待どおり: %1、%2。</translation>
    </message>
    <message>
        <source>Not run: the suite was stopped.</source>
        <translation>実行されませんでした: スイートが停止されました。</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>期待</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>受信</translation>
    </message>
    <message>
        <source>No call selected</source>
        <translation>呼び出しが選択されていません</translation>
    </message>
    <message>
        <source>Select a call on the left to see its result.</source>
        <translation>左側で呼び出しを選択すると結果が表示されます。</translation>
    </message>
    <message>
        <source>%1: expected and received</source>
        <translation>%1: 期待と受信</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallSubject</name>
    <message>
        <source>The page of an app that a chat client would run. Sonde shows its source and does not run it.</source>
        <translation>チャットクライアントが実行するアプリのページです。Sondeはソースを表示し、実行はしません。</translation>
    </message>
    <message>
        <source>Instructions that a chat client would give to its model.</source>
        <translation>チャットクライアントがモデルに与える指示です。</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Its results have a view of their own, %1. Sonde shows the source of such an app and does not run it.</source>
        <translation>結果には専用の表示%1があります。Sondeはこのようなアプリのソースを表示し、実行はしません。</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>読み取り</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>取得</translation>
    </message>
    <message>
        <source>There is nothing to call here.</source>
        <translation>ここには呼び出すものがありません。</translation>
    </message>
    <message>
        <source>This page shows definition %1 of %2. A call contains only the name: the server decides which of them it reaches.</source>
        <translation>このページは %2 件中 %1 番目の定義を表示しています。呼び出しに含まれるのは名前だけで、どの定義に届くかはサーバーが決めます。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallTools</name>
    <message>
        <source>Call statistics</source>
        <translation>呼び出しの統計</translation>
    </message>
    <message>
        <source>Call statistics: number, outcome and duration of the calls of each tool (%1)</source>
        <translation>呼び出しの統計: ツールごとの呼び出しの件数、成否、所要時間 (%1)</translation>
    </message>
    <message>
        <source>Show only this call</source>
        <translation>この呼び出しのみ表示</translation>
    </message>
    <message>
        <source>Show all calls</source>
        <translation>すべての呼び出しを表示</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>展開</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>折りたたむ</translation>
    </message>
    <message>
        <source>Expand all calls</source>
        <translation>すべての呼び出しを展開</translation>
    </message>
    <message>
        <source>Collapse all calls</source>
        <translation>すべての呼び出しを折りたたむ</translation>
    </message>
    <message>
        <source>Call statistics…</source>
        <translation>呼び出しの統計…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Calls</name>
    <message>
        <source>response</source>
        <translation>レスポンス</translation>
    </message>
    <message>
        <source>progress</source>
        <translation>進捗</translation>
    </message>
    <message>
        <source>log</source>
        <translation>ログ</translation>
    </message>
    <message>
        <source>server request</source>
        <translation>サーバーからのリクエスト</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>入力が必要</translation>
    </message>
    <message>
        <source>retry</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>task poll</source>
        <translation>タスクのポーリング</translation>
    </message>
    <message>
        <source>task status</source>
        <translation>タスクの状態</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>キャンセル済み</translation>
    </message>
    <message>
        <source>event</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>transport</source>
        <translation>トランスポート</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>検出事項</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未応答</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>時刻: %1</translation>
    </message>
    <message>
        <source>Started at %1</source>
        <translation>開始: %1</translation>
    </message>
    <message>
        <source>First byte after %1</source>
        <translation>最初のバイトまで%1</translation>
    </message>
    <message>
        <source>No response yet</source>
        <translation>レスポンスはまだありません</translation>
    </message>
    <message>
        <source>Running for %1</source>
        <translation>%1実行中</translation>
    </message>
    <message>
        <source>Took %1</source>
        <translation>所要時間: %1</translation>
    </message>
    <message>
        <source>Waiting for user: %1</source>
        <translation>ユーザー待ち: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallsModel</name>
    <message>
        <source>≈ inferred</source>
        <translation>≈ 推定</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ChoiceEditor</name>
    <message>
        <source>%1 (not in the list)</source>
        <translation>%1 (一覧にありません)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CollapsibleText</name>
    <message>
        <source>Show less</source>
        <translation>一部だけ表示</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>さらに表示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareDetails</name>
    <message>
        <source>What changed</source>
        <translation>変更内容</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareDialog</name>
    <message>
        <source>Connected</source>
        <translation>接続済み</translation>
    </message>
    <message>
        <source>Open sessions</source>
        <translation>開いているセッション</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>記録済みセッション</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>後</translation>
    </message>
    <message>
        <source>%1, filter</source>
        <translation>%1、フィルター</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>フィルター</translation>
    </message>
    <message>
        <source>Session file…</source>
        <translation>セッションファイル…</translation>
    </message>
    <message>
        <source>%1, choose a session file</source>
        <translation>%1、セッションファイルを選択</translation>
    </message>
    <message>
        <source>Compare with a session</source>
        <translation>セッションと比較</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>セッション (*.mcpsession);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>No servers or sessions yet. Connect to a server first.</source>
        <translation>サーバーもセッションもまだありません。まずサーバーに接続してください。</translation>
    </message>
    <message>
        <source>Choose two different servers or sessions.</source>
        <translation>異なる2つのサーバーまたはセッションを選択してください。</translation>
    </message>
    <message>
        <source>Choose a server or session on each side.</source>
        <translation>両側でサーバーまたはセッションを選択してください。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareEntry</name>
    <message>
        <source>Handshake</source>
        <translation>ハンドシェイク</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>ケイパビリティ</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>テンプレート</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>◆ unknown</source>
        <translation>◆ 不明</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareList</name>
    <message>
        <source>Filter the differences</source>
        <translation>差異を絞り込む</translation>
    </message>
    <message>
        <source>All</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>All differences</source>
        <translation>すべての差異</translation>
    </message>
    <message>
        <source>Breaking</source>
        <translation>非互換</translation>
    </message>
    <message>
        <source>Breaking differences only</source>
        <translation>互換性を壊す差異のみ</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差異</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>フィルター</translation>
    </message>
    <message>
        <source>Filter 1 difference…</source>
        <translation>1 件の差異を絞り込む…</translation>
    </message>
    <message>
        <source>Filter %1 differences…</source>
        <translation>%1 件の差異を絞り込む…</translation>
    </message>
    <message>
        <source>No breaking differences.</source>
        <translation>互換性を壊す差異はありません。</translation>
    </message>
    <message>
        <source>No differences match the filter.</source>
        <translation>フィルターに一致する差異はありません。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareModel</name>
    <message>
        <source>and %1 more</source>
        <translation>ほか%1 件</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>比較対象外</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 件の差異</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 件の差異</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ComparePanel</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1および%2</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 個のツール</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 個のツール</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 個のリソース</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 個のリソース</translation>
    </message>
    <message>
        <source>1 template</source>
        <translation>1 個のテンプレート</translation>
    </message>
    <message>
        <source>%1 templates</source>
        <translation>%1 個のテンプレート</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 個のプロンプト</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 個のプロンプト</translation>
    </message>
    <message>
        <source>the handshake</source>
        <translation>ハンドシェイク</translation>
    </message>
    <message>
        <source>the capabilities</source>
        <translation>ケイパビリティ</translation>
    </message>
    <message>
        <source>the launch settings</source>
        <translation>起動設定</translation>
    </message>
    <message>
        <source>live</source>
        <translation>接続中</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>記録済み</translation>
    </message>
    <message>
        <source>version %1</source>
        <translation>バージョン%1</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>後</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>もう一度比較</translation>
    </message>
    <message>
        <source>Loading both sides…</source>
        <translation>両側を読み込んでいます…</translation>
    </message>
    <message>
        <source>Swap sides</source>
        <translation>左右を入れ替え</translation>
    </message>
    <message>
        <source>Swap before and after</source>
        <translation>前と後を入れ替え</translation>
    </message>
    <message>
        <source>Live servers are compared again automatically when their offering changes</source>
        <translation>接続中のサーバーは、提供内容が変わると自動的に再比較されます</translation>
    </message>
    <message>
        <source>%1 ⇄ %2</source>
        <translation>%1 ⇄ %2</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>比較しています…</translation>
    </message>
    <message>
        <source>Both sides are being loaded and compared in the background.</source>
        <translation>両側をバックグラウンドで読み込んで比較しています。</translation>
    </message>
    <message>
        <source>≠ %1 changed</source>
        <translation>≠ %1 件変更</translation>
    </message>
    <message>
        <source>+ %1 added</source>
        <translation>+ %1 件追加</translation>
    </message>
    <message>
        <source>− %1 removed</source>
        <translation>− %1 件削除</translation>
    </message>
    <message>
        <source>Before: %1 cannot be compared</source>
        <translation>前: %1は比較できません</translation>
    </message>
    <message>
        <source>After: %1 cannot be compared</source>
        <translation>後: %1は比較できません</translation>
    </message>
    <message>
        <source>✓ No differences</source>
        <translation>✓ 差異なし</translation>
    </message>
    <message>
        <source>Identical on both sides: %1.</source>
        <translation>両側で同一: %1。</translation>
    </message>
    <message>
        <source>✓ No differences in what could be compared.</source>
        <translation>✓ 比較できた範囲に差異はありません。</translation>
    </message>
    <message>
        <source>Identical launch settings.</source>
        <translation>起動設定は同一です。</translation>
    </message>
    <message>
        <source>Launch settings differ in 1 place.</source>
        <translation>起動設定に1 か所の違いがあります。</translation>
    </message>
    <message>
        <source>Launch settings differ in %1 places.</source>
        <translation>起動設定に%1 か所の違いがあります。</translation>
    </message>
    <message>
        <source>✓ Same offering: %1.</source>
        <translation>✓ 提供内容は同じです: %1。</translation>
    </message>
    <message>
        <source>✕ 1 difference can break clients of %1.</source>
        <translation>✕ 1 件の差異が%1のクライアントとの互換性を壊す可能性があります。</translation>
    </message>
    <message>
        <source>✕ %1 differences can break clients of %2.</source>
        <translation>✕ %1 件の差異が%2のクライアントとの互換性を壊す可能性があります。</translation>
    </message>
    <message>
        <source>? No certain breaking changes; 1 difference needs review.</source>
        <translation>? 確実に互換性を壊す変更はありません。1 件の差異は確認が必要です。</translation>
    </message>
    <message>
        <source>? No certain breaking changes; %1 differences need review.</source>
        <translation>? 確実に互換性を壊す変更はありません。%1 件の差異は確認が必要です。</translation>
    </message>
    <message>
        <source>✓ No breaking changes for clients of %1.</source>
        <translation>✓ %1のクライアントとの互換性を壊す変更はありません。</translation>
    </message>
    <message>
        <source>? Unknown whether this can break clients of %1: not all lists could be compared.</source>
        <translation>? %1のクライアントとの互換性を壊すかどうかは不明です。比較できない一覧があります。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ComparisonWindow</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1および%2</translation>
    </message>
    <message>
        <source>Compared part</source>
        <translation>比較した部分</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>比較しています…</translation>
    </message>
    <message>
        <source>Not compared: both sides must be JSON.</source>
        <translation>比較していません: 両側ともJSONである必要があります。</translation>
    </message>
    <message>
        <source>Identical bytes</source>
        <translation>バイト単位で同一</translation>
    </message>
    <message>
        <source>Identical except for whitespace or key order</source>
        <translation>空白とキーの順序を除いて同一</translation>
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
        <translation>設定</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>省略</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ContentBlock</name>
    <message>
        <source>unknown content type</source>
        <translation>不明なコンテンツの型</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>対象: %1</translation>
    </message>
    <message>
        <source>priority %1</source>
        <translation>優先度: %1</translation>
    </message>
    <message>
        <source>modified %1</source>
        <translation>更新: %1</translation>
    </message>
    <message>
        <source>Read resource</source>
        <translation>リソースを読み取る</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>リンクを開く…</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>再生または一時停止</translation>
    </message>
    <message>
        <source>Open in player</source>
        <translation>プレーヤーで開く</translation>
    </message>
    <message>
        <source>Copy image</source>
        <translation>画像をコピー</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>ズーム</translation>
    </message>
    <message>
        <source>Copy URI</source>
        <translation>URIをコピー</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>名前をコピー</translation>
    </message>
    <message>
        <source>Copy content block as JSON</source>
        <translation>コンテンツブロックをJSONとしてコピー</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>名前を付けて保存…</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>読み取り</translation>
    </message>
    <message>
        <source>Read the linked resource</source>
        <translation>リンクされたリソースを読み取る</translation>
    </message>
    <message>
        <source>Decoding %1…</source>
        <translation>%1をデコードしています…</translation>
    </message>
    <message>
        <source>image</source>
        <translation>画像</translation>
    </message>
    <message>
        <source>audio</source>
        <translation>音声</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Image, %1 by %2</source>
        <translation>画像、%1×%2</translation>
    </message>
    <message>
        <source>Not copied: %1</source>
        <translation>コピーされませんでした: %1</translation>
    </message>
    <message>
        <source>Save as a file</source>
        <translation>ファイルとして保存</translation>
    </message>
    <message>
        <source>The text is the same as structuredContent.</source>
        <translation>テキストはstructuredContentと同じです。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Show the text that is the same as structuredContent</source>
        <translation>structuredContentと同じテキストを表示</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>非表示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CopyActions</name>
    <message>
        <source>Copy value</source>
        <translation>値をコピー</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>JSONとしてコピー</translation>
    </message>
    <message>
        <source>Copy JSON pointer</source>
        <translation>JSONポインターをコピー</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>名前をコピー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DescriptionLabel</name>
    <message>
        <source>Show more</source>
        <translation>さらに表示</translation>
    </message>
    <message>
        <source>Show the full description</source>
        <translation>説明をすべて表示</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>一部だけ表示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DifferenceModel</name>
    <message>
        <source>(whole value)</source>
        <translation>(値全体)</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>パス</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>変更</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>後</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DifferenceTable</name>
    <message>
        <source>Differences</source>
        <translation>差異</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>パスをコピー</translation>
    </message>
    <message>
        <source>Copy value before</source>
        <translation>前の値をコピー</translation>
    </message>
    <message>
        <source>Copy value after</source>
        <translation>後の値をコピー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DragHandle</name>
    <message>
        <source>Drag to move (%1, %2)</source>
        <translation>ドラッグして移動 (%1、%2)</translation>
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
        <translation>既定値%1</translation>
    </message>
    <message>
        <source>not sent while empty</source>
        <translation>空の間は送信されません</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Export</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1に書き込めません: %2</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>フォルダー「%1」は存在しません。</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>別のフォルダーを選択してください。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ExportDialog</name>
    <message>
        <source>Browse…</source>
        <translation>参照…</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>置き換え</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>フォルダーを開く</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>パスをコピー</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1をエクスポート</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>JSON Lines: one message per line</source>
        <translation>JSON Lines: 1行に1つのメッセージ</translation>
    </message>
    <message>
        <source>HAR: HTTP exchanges for other tools</source>
        <translation>HAR: ほかのツール用のHTTP交換</translation>
    </message>
    <message>
        <source>Markdown: readable report</source>
        <translation>Markdown: 読みやすいレポート</translation>
    </message>
    <message>
        <source>HTML: single page for a bug report</source>
        <translation>HTML: バグ報告用の単一ページ</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>レコード</translation>
    </message>
    <message>
        <source>All records</source>
        <translation>すべてのレコード</translation>
    </message>
    <message>
        <source>All %1 records</source>
        <translation>すべてのレコード (%1 件)</translation>
    </message>
    <message>
        <source>Records shown in the timeline</source>
        <translation>タイムラインに表示中のレコード</translation>
    </message>
    <message>
        <source>Selected record</source>
        <translation>選択したレコード</translation>
    </message>
    <message>
        <source>%1 selected records</source>
        <translation>選択した%1 件のレコード</translation>
    </message>
    <message>
        <source>Additional words to redact</source>
        <translation>追加でマスクする語句</translation>
    </message>
    <message>
        <source>Names, keys, addresses; separated by commas</source>
        <translation>名前、キー、アドレス (コンマ区切り)</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Also redact</source>
        <translation>追加でマスク</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>エクスポート</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>進捗</translation>
    </message>
    <message>
        <source>Redacted values</source>
        <translation>マスクした値</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Occurrences</source>
        <translation>出現回数</translation>
    </message>
    <message>
        <source>Replacement</source>
        <translation>置換後</translation>
    </message>
    <message>
        <source>Contains HTTP exchanges only; nothing from stdio servers.</source>
        <translation>HTTP交換のみを含みます。stdioサーバーの内容は含まれません。</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>エクスポート先</translation>
    </message>
    <message>
        <source>Words shorter than four characters are not redacted.</source>
        <translation>4 文字未満の語句はマスクされません。</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>エクスポートされませんでした</translation>
    </message>
    <message>
        <source>%1 is a folder. Enter a file name.</source>
        <translation>%1はフォルダーです。ファイル名を入力してください。</translation>
    </message>
    <message>
        <source>This file already exists</source>
        <translation>このファイルはすでに存在します</translation>
    </message>
    <message>
        <source>Scanning for secrets…</source>
        <translation>シークレットを検索しています…</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>エクスポートしています…</translation>
    </message>
    <message>
        <source>The session cannot be read</source>
        <translation>セッションを読み取れません</translation>
    </message>
    <message>
        <source>No HTTP exchanges among these records</source>
        <translation>これらのレコードにHTTP交換はありません</translation>
    </message>
    <message>
        <source>The HAR file would be empty. Choose another format.</source>
        <translation>HARファイルが空になります。別の形式を選択してください。</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>エクスポートしました</translation>
    </message>
    <message>
        <source>%1, first in #%2</source>
        <translation>%1、最初は#%2</translation>
    </message>
    <message>
        <source>No secrets detected. Review the file before you share it.</source>
        <translation>シークレットは検出されませんでした。共有する前にファイルを確認してください。</translation>
    </message>
    <message>
        <source>%1 redacted, in %2</source>
        <translation>%1を%2でマスクしました</translation>
    </message>
    <message>
        <source>1 secret is</source>
        <translation>1 個のシークレット</translation>
    </message>
    <message>
        <source>%1 secrets are</source>
        <translation>%1 個のシークレット</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 か所</translation>
    </message>
    <message>
        <source>%1 places</source>
        <translation>%1 か所</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Field</name>
    <message>
        <source>secret (detected)</source>
        <translation>シークレット (検出)</translation>
    </message>
    <message>
        <source>read-only, not sent</source>
        <translation>読み取り専用、送信されません</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必須</translation>
    </message>
    <message>
        <source>List</source>
        <translation>リスト</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>省略</translation>
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
        <translation>設定</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Set, omit or null this argument</source>
        <translation>この引数を設定、省略、またはnullにする</translation>
    </message>
    <message>
        <source>Collapse %1</source>
        <translation>%1を折りたたむ</translation>
    </message>
    <message>
        <source>Expand %1</source>
        <translation>%1を展開</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>既定値: %1</translation>
    </message>
    <message>
        <source>Example: %1</source>
        <translation>例: %1</translation>
    </message>
    <message>
        <source>Edit as JSON</source>
        <translation>JSONとして編集</translation>
    </message>
    <message>
        <source>Server: %1</source>
        <translation>サーバー: %1</translation>
    </message>
    <message>
        <source>arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>読み取り専用</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldColumn</name>
    <message>
        <source>Show %1 more (%2 hidden)</source>
        <translation>さらに%1 件を表示 (残り%2 件)</translation>
    </message>
    <message>
        <source>Show %1 more</source>
        <translation>さらに%1 件を表示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldFind</name>
    <message>
        <source>Searching…</source>
        <translation>検索しています…</translation>
    </message>
    <message>
        <source>No field of %1</source>
        <translation>%1 個のフィールドに該当なし</translation>
    </message>
    <message>
        <source>%1 of %2 · %3 fields</source>
        <translation>%1/%2 · %3 個のフィールド</translation>
    </message>
    <message>
        <source>%1 of %2 fields</source>
        <translation>%1/%2 個のフィールド</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldFindBar</name>
    <message>
        <source>Required</source>
        <translation>必須</translation>
    </message>
    <message>
        <source>Only required fields</source>
        <translation>必須フィールドのみ</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Only fields that are set</source>
        <translation>設定済みのフィールドのみ</translation>
    </message>
    <message>
        <source>Find field</source>
        <translation>フィールドを検索</translation>
    </message>
    <message>
        <source>Name, title or description of a field</source>
        <translation>フィールドの名前、タイトル、説明</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldPlace</name>
    <message>
        <source>new item</source>
        <translation>新しい項目</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FileContent</name>
    <message>
        <source>%1 has %2. A message can carry a file of at most %3.</source>
        <translation>%1は%2です。メッセージに含められるファイルは最大%3です。</translation>
    </message>
    <message>
        <source>Load file…</source>
        <translation>ファイルを読み込む…</translation>
    </message>
    <message>
        <source>Replace the value with the content of a file, encoded. You can also drop a file here.</source>
        <translation>値をファイルの内容 (エンコード済み) に置き換えます。ここにファイルをドロップすることもできます。</translation>
    </message>
    <message>
        <source>Drop one file of this computer.</source>
        <translation>このコンピューターのファイルを1 個ドロップしてください。</translation>
    </message>
    <message>
        <source>Load file</source>
        <translation>ファイルを読み込む</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1を読み取っています…</translation>
    </message>
    <message>
        <source>There is not enough memory for %1.</source>
        <translation>%1にはメモリが足りません。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FilterLine</name>
    <message>
        <source>Not applied; all rows shown.</source>
        <translation>適用されません。すべての行を表示しています。</translation>
    </message>
    <message>
        <source>Not applied; still filtering by %1</source>
        <translation>適用されません。引き続き%1で絞り込んでいます</translation>
    </message>
    <message>
        <source>At character %1: %2 %3</source>
        <translation>%1 文字目: %2 %3</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FilterMenu</name>
    <message>
        <source>Green</source>
        <translation>緑</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>青</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>オレンジ</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>赤</translation>
    </message>
    <message>
        <source>Turquoise</source>
        <translation>ターコイズ</translation>
    </message>
    <message>
        <source>Saved filters and highlights</source>
        <translation>保存済みのフィルターとハイライト</translation>
    </message>
    <message>
        <source>No saved filters</source>
        <translation>保存済みのフィルターはありません</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>フィルターを保存</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Highlight matching rows</source>
        <translation>一致する行をハイライト</translation>
    </message>
    <message>
        <source>Remove highlight</source>
        <translation>ハイライトを解除</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FindBar</name>
    <message>
        <source>Previous match (%1)</source>
        <translation>前の一致 (%1)</translation>
    </message>
    <message>
        <source>Next match (%1)</source>
        <translation>次の一致 (%1)</translation>
    </message>
    <message>
        <source>Close (%1)</source>
        <translation>閉じる (%1)</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>このページ内を検索</translation>
    </message>
    <message>
        <source>Text to find</source>
        <translation>検索するテキスト</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>検索</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FindingsList</name>
    <message>
        <source>Findings</source>
        <translation>検出事項</translation>
    </message>
    <message>
        <source>Show all findings</source>
        <translation>すべての検出事項を表示</translation>
    </message>
    <message>
        <source>Show %1 more</source>
        <translation>さらに%1 件を表示</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>ほか%1 件</translation>
    </message>
    <message>
        <source>Finding: %1</source>
        <translation>検出事項: %1</translation>
    </message>
    <message>
        <source>Copy finding</source>
        <translation>検出事項をコピー</translation>
    </message>
    <message>
        <source>Copy all findings</source>
        <translation>すべての検出事項をコピー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FittingSegments</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FoldedJson</name>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1を表示</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>非表示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Form</name>
    <message>
        <source>1 item</source>
        <translation>1 個の要素</translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation>%1 個の要素</translation>
    </message>
    <message>
        <source>Show secret</source>
        <translation>シークレットを表示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FormBody</name>
    <message>
        <source>%1 %2 looks like a secret. A server must not ask for secrets in a form.</source>
        <translation>%1 %2はシークレットのようです。サーバーはフォームでシークレットを求めてはなりません。</translation>
    </message>
    <message>
        <source>This form has no fields.</source>
        <translation>このフォームにはフィールドがありません。</translation>
    </message>
    <message>
        <source>elicitation</source>
        <translation>elicitation</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>承諾</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>既定値</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FoundContext</name>
    <message>
        <source>In the abbreviated part: %1</source>
        <translation>省略部分の中: %1</translation>
    </message>
    <message>
        <source>In the abbreviated part:</source>
        <translation>省略部分の中:</translation>
    </message>
</context>
<context>
    <name>sonde::ui::GotoPalette</name>
    <message>
        <source>Go to</source>
        <translation>移動</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server, session or command…</source>
        <translation>ツール、リソース、プロンプト、サーバー、セッション、コマンドへ移動…</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>「%1」に一致するものはありません</translation>
    </message>
    <message>
        <source>Search by any part of the name of a server, session, tool, resource, prompt or command.</source>
        <translation>サーバー、セッション、ツール、リソース、プロンプト、コマンドの名前の一部で検索できます。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::GuidedWalk</name>
    <message>
        <source>Enter two numbers in “add” and press Ctrl+Enter.</source>
        <translation>「add」に数値を2つ入力し、Ctrl+Enterを押します。</translation>
    </message>
    <message>
        <source>Call “fail”: it runs, and reports an error that a model would see.</source>
        <translation>「fail」を呼び出します。実行はされますが、モデルに見えるエラーを報告します。</translation>
    </message>
    <message>
        <source>Call “add” without b. Then click the error, enter a number and call again.</source>
        <translation>bなしで「add」を呼び出します。次にエラーをクリックし、数値を入力してもう一度呼び出します。</translation>
    </message>
    <message>
        <source>Call “ask-form”: the server asks you for something in the middle of the call.</source>
        <translation>「ask-form」を呼び出します。呼び出しの途中でサーバーが入力を求めます。</translation>
    </message>
    <message>
        <source>Select a row of the timeline to see the message as it was sent.</source>
        <translation>タイムラインの行を選択すると、送信されたとおりのメッセージを確認できます。</translation>
    </message>
    <message>
        <source>Type “tool == fail” into the filter of the timeline.</source>
        <translation>タイムラインのフィルターに「tool == fail」と入力します。</translation>
    </message>
    <message>
        <source>Open “greeting”: a resource is read when its tab opens.</source>
        <translation>「greeting」を開きます。リソースはタブを開いたときに読み取られます。</translation>
    </message>
    <message>
        <source>Send the recorded calls again and compare the responses.</source>
        <translation>記録した呼び出しをもう一度送信し、レスポンスを比較します。</translation>
    </message>
    <message>
        <source>Call a tool</source>
        <translation>ツールを呼び出す</translation>
    </message>
    <message>
        <source>See a tool error</source>
        <translation>ツールエラーを見る</translation>
    </message>
    <message>
        <source>Fix an argument</source>
        <translation>引数を修正する</translation>
    </message>
    <message>
        <source>Respond to the server</source>
        <translation>サーバーに応答する</translation>
    </message>
    <message>
        <source>Look at a message</source>
        <translation>メッセージを見る</translation>
    </message>
    <message>
        <source>Filter the timeline</source>
        <translation>タイムラインを絞り込む</translation>
    </message>
    <message>
        <source>Read a resource</source>
        <translation>リソースを読み取る</translation>
    </message>
    <message>
        <source>Replay the session</source>
        <translation>セッションをリプレイする</translation>
    </message>
</context>
<context>
    <name>sonde::ui::HeaderEditor</name>
    <message>
        <source>default value</source>
        <translation>既定値</translation>
    </message>
    <message>
        <source>redacted in the session; not sent</source>
        <translation>セッションでマスク済みのため送信されません</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未送信</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>ヘッダー</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>HTTP &amp;headers</source>
        <translation>HTTPヘッダー(&amp;H)</translation>
    </message>
    <message>
        <source>For this message only; removed headers are not sent</source>
        <translation>このメッセージにのみ適用されます。削除したヘッダーは送信されません</translation>
    </message>
    <message>
        <source>For this message only; its original headers were not found</source>
        <translation>このメッセージにのみ適用されます。元のヘッダーは見つかりませんでした</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Remove the selected header</source>
        <translation>選択したヘッダーを削除</translation>
    </message>
    <message>
        <source>Do not send the selected header</source>
        <translation>選択したヘッダーを送信しない</translation>
    </message>
    <message>
        <source>HTTP headers of this message</source>
        <translation>このメッセージのHTTPヘッダー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::IgnoreRulesDialog</name>
    <message>
        <source>No rules</source>
        <translation>ルールはありません</translation>
    </message>
    <message>
        <source>Click “Ignore” next to a difference, or add a rule here. Matching differences are ignored.</source>
        <translation>差異の横の「無視」をクリックするか、ここでルールを追加してください。一致する差異は無視されます。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Ignore rules</source>
        <translation>無視ルール</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>ルール</translation>
    </message>
    <message>
        <source>Ignored content</source>
        <translation>無視する内容</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正規表現</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>パス</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>メソッド</translation>
    </message>
    <message>
        <source>Tool, prompt or URI</source>
        <translation>ツール、プロンプト、またはURI</translation>
    </message>
    <message>
        <source>Path: /content/*/text#/time, where * is one step, ** any number of steps and # enters JSON inside a string. An empty field matches anything.</source>
        <translation>パス: /content/*/text#/time。*は1 ステップ、**は任意の数のステップ、#は文字列内のJSONへの移動を表します。空のフィールドはすべてに一致します。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>timestamps</source>
        <translation>タイムスタンプ</translation>
    </message>
    <message>
        <source>UUIDs</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>text matching</source>
        <translation>一致するテキスト</translation>
    </message>
    <message>
        <source>Line %1: %2. The previous rules apply until this is fixed.</source>
        <translation>行%1: %2。修正されるまで、以前のルールが適用されます。</translation>
    </message>
    <message>
        <source>Line %1 is not a valid rule: %2. It will be discarded on close.</source>
        <translation>行%1は有効なルールではありません: %2。閉じると破棄されます。</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>編集を続ける</translation>
    </message>
    <message>
        <source>Saved in %1</source>
        <translation>%1に保存</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImageArea</name>
    <message>
        <source>Fit width</source>
        <translation>幅に合わせる</translation>
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
        <translation>メモリ不足</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImportCallsDialog</name>
    <message>
        <source>Import calls from other programs</source>
        <translation>ほかのプログラムの呼び出しをインポート</translation>
    </message>
    <message>
        <source>Open, drop or paste a Postman, Insomnia or Hoppscotch collection, or an MCP Inspector export.</source>
        <translation>Postman、Insomnia、Hoppscotchのコレクション、またはMCP Inspectorのエクスポートを開くか、ドロップするか、貼り付けてください。</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>インポート</translation>
    </message>
    <message>
        <source>Import calls</source>
        <translation>呼び出しをインポート</translation>
    </message>
    <message>
        <source>Open files…</source>
        <translation>ファイルを開く…</translation>
    </message>
    <message>
        <source>Paste from clipboard</source>
        <translation>クリップボードから貼り付け</translation>
    </message>
    <message>
        <source>Calls found</source>
        <translation>見つかった呼び出し</translation>
    </message>
    <message>
        <source>Saved call</source>
        <translation>保存済みの呼び出し</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>File of the selected call</source>
        <translation>選択した呼び出しのファイル</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>メモ</translation>
    </message>
    <message>
        <source>%1 is too large for the memory.</source>
        <translation>%1は大きすぎてメモリに収まりません。</translation>
    </message>
    <message>
        <source>The clipboard</source>
        <translation>クリップボード</translation>
    </message>
    <message>
        <source>The clipboard has no text.</source>
        <translation>クリップボードにテキストがありません。</translation>
    </message>
    <message>
        <source>The text is too long.</source>
        <translation>テキストが長すぎます。</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 件のメモ</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 件のメモ</translation>
    </message>
    <message>
        <source>Import calls from files</source>
        <translation>ファイルから呼び出しをインポート</translation>
    </message>
    <message>
        <source>Exports (*.json *.yaml *.yml);;All files (*)</source>
        <translation>エクスポートファイル (*.json *.yaml *.yml);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Import 1 call</source>
        <translation>1 件の呼び出しをインポート</translation>
    </message>
    <message>
        <source>Import %1 calls</source>
        <translation>%1 件の呼び出しをインポート</translation>
    </message>
    <message>
        <source>Nothing is sent, and no file is replaced.</source>
        <translation>何も送信されず、ファイルも置き換えられません。</translation>
    </message>
    <message>
        <source>%1 has no tool calls</source>
        <translation>%1にツール呼び出しはありません</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImportDialog</name>
    <message>
        <source>No servers from other MCP clients found</source>
        <translation>ほかのMCPクライアントのサーバーは見つかりませんでした</translation>
    </message>
    <message>
        <source>Open or drop a file, or paste its text or a command such as “claude mcp add …”.</source>
        <translation>ファイルを開くかドロップしてください。または、その内容か「claude mcp add …」などのコマンドを貼り付けてください。</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>インポート</translation>
    </message>
    <message>
        <source>Import servers</source>
        <translation>サーバーをインポート</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>このコンピューターで検出</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>ソース</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>ファイルを開く…</translation>
    </message>
    <message>
        <source>Paste from clipboard</source>
        <translation>クリップボードから貼り付け</translation>
    </message>
    <message>
        <source>A configuration, an entry, or a command such as “claude mcp add …”</source>
        <translation>構成、エントリ、または「claude mcp add …」などのコマンド</translation>
    </message>
    <message>
        <source>Servers found</source>
        <translation>見つかったサーバー</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Starts or connects to</source>
        <translation>起動コマンドまたは接続先</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>メモ</translation>
    </message>
    <message>
        <source>Details of the selected server</source>
        <translation>選択したサーバーの詳細</translation>
    </message>
    <message>
        <source>server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>読み取れません</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 個のサーバー</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 個のサーバー</translation>
    </message>
    <message>
        <source>The text is too long to be a list of servers.</source>
        <translation>テキストが長すぎるため、サーバーの一覧とはみなせません。</translation>
    </message>
    <message>
        <source>Import servers from a file</source>
        <translation>ファイルからサーバーをインポート</translation>
    </message>
    <message>
        <source>Configurations (*.json *.jsonc *.toml);;All files (*)</source>
        <translation>構成ファイル (*.json *.jsonc *.toml);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>cannot be started</source>
        <translation>起動できません</translation>
    </message>
    <message>
        <source>already in the list; adds missing secrets</source>
        <translation>すでに一覧にあります (不足しているシークレットを追加)</translation>
    </message>
    <message>
        <source>already in the list</source>
        <translation>すでに一覧にあります</translation>
    </message>
    <message>
        <source>renamed</source>
        <translation>名前を変更済み</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>無効</translation>
    </message>
    <message>
        <source>1 secret</source>
        <translation>1 個のシークレット</translation>
    </message>
    <message>
        <source>%1 secrets</source>
        <translation>%1 個のシークレット</translation>
    </message>
    <message>
        <source>Other users can read these secrets</source>
        <translation>ほかのユーザーがこれらのシークレットを読み取れます</translation>
    </message>
    <message>
        <source>This file describes no servers</source>
        <translation>このファイルにサーバーの記述はありません</translation>
    </message>
    <message>
        <source>Double-click or press F2 to rename</source>
        <translation>ダブルクリックまたはF2で名前を変更</translation>
    </message>
    <message>
        <source>•••••••• (secret, goes to the keychain)</source>
        <translation>•••••••• (シークレット、キーチェーンに保存)</translation>
    </message>
    <message>
        <source>Enter a name for each server.</source>
        <translation>各サーバーの名前を入力してください。</translation>
    </message>
    <message>
        <source>A server named “%1” already exists. Double-click the name to change it.</source>
        <translation>「%1」という名前のサーバーはすでに存在します。名前をダブルクリックして変更してください。</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>%1をインポート</translation>
    </message>
    <message>
        <source>Importing starts nothing. Check what each server would run.</source>
        <translation>インポートしても何も起動されません。各サーバーが何を実行するかを確認してください。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonCompletion</name>
    <message>
        <source>Names and values from the schema</source>
        <translation>スキーマの名前と値</translation>
    </message>
    <message>
        <source>default</source>
        <translation>既定値</translation>
    </message>
    <message>
        <source>example</source>
        <translation>例</translation>
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
        <translation>シークレットを表示</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>line %1, column %2</source>
        <translation>行%1、列%2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonFolding</name>
    <message>
        <source>…} 1 property</source>
        <translation>…} 1 個のプロパティ</translation>
    </message>
    <message>
        <source>…} %1 properties</source>
        <translation>…} %1 個のプロパティ</translation>
    </message>
    <message>
        <source>…] 1 item</source>
        <translation>…] 1 個の要素</translation>
    </message>
    <message>
        <source>…] %1 items</source>
        <translation>…] %1 個の要素</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonTable</name>
    <message>
        <source>Table</source>
        <translation>表</translation>
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
        <translation>CSVとしてコピー</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Markdownとしてコピー</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>形式を指定してコピー</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み取っています…</translation>
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
        <translation>1 列を非表示</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>%1 列を非表示</translation>
    </message>
    <message>
        <source>1 more key not shown</source>
        <translation>ほか1 個のキーは非表示</translation>
    </message>
    <message>
        <source>%1 more keys not shown</source>
        <translation>ほか%1 個のキーは非表示</translation>
    </message>
    <message>
        <source>Sort ascending</source>
        <translation>昇順に並べ替え</translation>
    </message>
    <message>
        <source>Sort descending</source>
        <translation>降順に並べ替え</translation>
    </message>
    <message>
        <source>Order as received</source>
        <translation>受信した順序</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>名前をコピー</translation>
    </message>
    <message>
        <source>Hide “%1”</source>
        <translation>「%1」を非表示</translation>
    </message>
    <message>
        <source>Show all columns</source>
        <translation>すべての列を表示</translation>
    </message>
    <message>
        <source>Copy table as CSV</source>
        <translation>表をCSVとしてコピー</translation>
    </message>
    <message>
        <source>Copy table as Markdown</source>
        <translation>表をMarkdownとしてコピー</translation>
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
        <translation>(オブジェクトではない)</translation>
    </message>
    <message>
        <source>(empty name)</source>
        <translation>(空の名前)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LaunchLines</name>
    <message>
        <source>%1 characters</source>
        <translation>%1 文字</translation>
    </message>
    <message>
        <source>What would be started</source>
        <translation>起動される内容</translation>
    </message>
    <message>
        <source>%1, %2. Scroll to see all of it.</source>
        <translation>%1、%2。スクロールするとすべて表示されます。</translation>
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
        <translation>1 文字</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LineDifference</name>
    <message>
        <source>… 1 equal line</source>
        <translation>… 同じ行が1 行</translation>
    </message>
    <message>
        <source>… %1 equal lines</source>
        <translation>… 同じ行が%1 行</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LineInput</name>
    <message>
        <source>Not inserted: max %1 characters per line.</source>
        <translation>挿入されませんでした: 1行は最大%1 文字です。</translation>
    </message>
    <message>
        <source>%1 characters: too long to edit on one line</source>
        <translation>%1 文字: 1行で編集するには長すぎます</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ListEditor</name>
    <message>
        <source>item</source>
        <translation>要素</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1を追加</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上へ移動</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下へ移動</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1を削除</translation>
    </message>
    <message>
        <source>Move %1 up</source>
        <translation>%1を上へ移動</translation>
    </message>
    <message>
        <source>Move %1 down</source>
        <translation>%1を下へ移動</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LogLevelRow</name>
    <message>
        <source>Log level</source>
        <translation>ログレベル</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>Server default</source>
        <translation>サーバーの既定</translation>
    </message>
    <message>
        <source>Not accepted: %1</source>
        <translation>受け入れられませんでした: %1</translation>
    </message>
    <message>
        <source>Requests do not ask for log messages.</source>
        <translation>リクエストではログメッセージを要求しません。</translation>
    </message>
    <message>
        <source>Sent with each request.</source>
        <translation>各リクエストとともに送信されます。</translation>
    </message>
    <message>
        <source>The server keeps &apos;%1&apos; until it is restarted.</source>
        <translation>サーバーは再起動されるまで&apos;%1&apos;を維持します。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ManualBrowser</name>
    <message>
        <source>Page</source>
        <translation>ページ</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ManualWindow</name>
    <message>
        <source>Back</source>
        <translation>戻る</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>進む</translation>
    </message>
    <message>
        <source>Sonde manual</source>
        <translation>Sondeマニュアル</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>すべてのページを検索</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目次</translation>
    </message>
    <message>
        <source>Places with these words</source>
        <translation>これらの語を含む箇所</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>No page has these words.</source>
        <translation>これらの語を含むページはありません。</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 か所</translation>
    </message>
    <message>
        <source>%1 places</source>
        <translation>%1 か所</translation>
    </message>
    <message>
        <source>%1 › %2</source>
        <translation>%1 › %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Not in this manual: %1</source>
        <translation>このマニュアルにはありません: %1</translation>
    </message>
    <message>
        <source>%1 matches, of which the first %2 are listed</source>
        <translation>%1 か所（先頭の %2 か所を表示）</translation>
    </message>
</context>
<context>
    <name>sonde::ui::MarkdownView</name>
    <message>
        <source>[Image: %1]</source>
        <translation>[画像: %1]</translation>
    </message>
    <message>
        <source>Rendered Markdown</source>
        <translation>レンダリングされたMarkdown</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>リンクを開く…</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>リンクのアドレスをコピー</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>すべて選択</translation>
    </message>
</context>
<context>
    <name>sonde::ui::MemberRow</name>
    <message>
        <source>name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Name of property %1</source>
        <translation>プロパティ「%1」の名前</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1を削除</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>sonde::ui::NetworkDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>この設定を使用</translation>
    </message>
    <message>
        <source>Network settings</source>
        <translation>ネットワーク設定</translation>
    </message>
    <message>
        <source>Network settings of %1</source>
        <translation>%1のネットワーク設定</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>プロキシ</translation>
    </message>
    <message>
        <source>System</source>
        <translation>システム</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Proxy URL</source>
        <translation>プロキシのURL</translation>
    </message>
    <message>
        <source>http://HOST:PORT or socks5://HOST:PORT</source>
        <translation>http://HOST:PORTまたはsocks5://HOST:PORT</translation>
    </message>
    <message>
        <source>With a user name and password: http://USER:PASSWORD@HOST:PORT</source>
        <translation>ユーザー名とパスワードを付ける場合: http://USER:PASSWORD@HOST:PORT</translation>
    </message>
    <message>
        <source>&amp;Proxy</source>
        <translation>プロキシ(&amp;P)</translation>
    </message>
    <message>
        <source>CA &amp;file</source>
        <translation>CAファイル(&amp;F)</translation>
    </message>
    <message>
        <source>PEM: certificate authorities to trust for this server, in addition to the system&apos;s</source>
        <translation>PEM: システムの認証局に加えて、このサーバーについて信頼する認証局</translation>
    </message>
    <message>
        <source>the system&apos;s certificate authorities only</source>
        <translation>システムの認証局のみ</translation>
    </message>
    <message>
        <source>Client &amp;certificate</source>
        <translation>クライアント証明書(&amp;C)</translation>
    </message>
    <message>
        <source>PEM: the client certificate for this server and its chain</source>
        <translation>PEM: このサーバー用のクライアント証明書とそのチェーン</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Client &amp;key</source>
        <translation>クライアントの秘密鍵(&amp;K)</translation>
    </message>
    <message>
        <source>PEM without a passphrase: the private key of the client certificate</source>
        <translation>パスフレーズなしのPEM: クライアント証明書の秘密鍵</translation>
    </message>
    <message>
        <source>in the certificate file</source>
        <translation>証明書ファイル内</translation>
    </message>
    <message>
        <source>&amp;Accepted certificate</source>
        <translation>受け入れる証明書(&amp;A)</translation>
    </message>
    <message>
        <source>SHA-256 fingerprint</source>
        <translation>SHA-256フィンガープリント</translation>
    </message>
    <message>
        <source>Exactly this certificate is accepted even if it is self-signed, expired or for another host. The error of a failed connection shows the fingerprint; check it with the server&apos;s owner.</source>
        <translation>自己署名、期限切れ、別のホスト用であっても、この証明書だけを受け入れます。フィンガープリントは接続に失敗したときのエラーに表示されます。サーバーの所有者に確認してください。</translation>
    </message>
    <message>
        <source>Accept the certificate that the server showed</source>
        <translation>サーバーが提示した証明書を受け入れる</translation>
    </message>
    <message>
        <source>A&amp;llowed hosts</source>
        <translation>許可するホスト(&amp;L)</translation>
    </message>
    <message>
        <source>none; separate several with commas</source>
        <translation>なし (複数の場合はコンマ区切り)</translation>
    </message>
    <message>
        <source>Hosts on this computer or a private network that a public server may redirect to, for example to sign in</source>
        <translation>サインインなどのために公開サーバーがリダイレクトしてよい、このコンピューターまたはプライベートネットワーク上のホスト</translation>
    </message>
    <message>
        <source>Its SHA-256 fingerprint is %1. Check it with the server&apos;s owner.</source>
        <translation>SHA-256フィンガープリントは%1です。サーバーの所有者に確認してください。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>選択…</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>%1を選択</translation>
    </message>
    <message>
        <source>PEM files (*.pem *.crt *.cer *.key);;All files (*)</source>
        <translation>PEMファイル (*.pem *.crt *.cer *.key);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Enter the URL of the proxy.</source>
        <translation>プロキシのURLを入力してください。</translation>
    </message>
    <message>
        <source>For this server only. Takes effect at the next start.</source>
        <translation>このサーバーにのみ適用されます。次回の起動時に有効になります。</translation>
    </message>
    <message>
        <source>system proxy</source>
        <translation>システムのプロキシ</translation>
    </message>
    <message>
        <source>no proxy</source>
        <translation>プロキシなし</translation>
    </message>
    <message>
        <source>proxy %1</source>
        <translation>プロキシ: %1</translation>
    </message>
    <message>
        <source>CA file %1</source>
        <translation>CAファイル: %1</translation>
    </message>
    <message>
        <source>client certificate %1</source>
        <translation>クライアント証明書: %1</translation>
    </message>
    <message>
        <source>1 accepted certificate</source>
        <translation>受け入れる証明書: 1 個</translation>
    </message>
    <message>
        <source>allowed: %1</source>
        <translation>許可: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::NumberEditor</name>
    <message>
        <source>Not a number; will be sent as a string</source>
        <translation>数値ではありません。文字列として送信されます</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ObjectEditor</name>
    <message>
        <source>Add entry</source>
        <translation>エントリを追加</translation>
    </message>
    <message>
        <source>Add property</source>
        <translation>プロパティを追加</translation>
    </message>
    <message>
        <source>Additional properties</source>
        <translation>追加プロパティ</translation>
    </message>
    <message>
        <source>Empty object</source>
        <translation>空のオブジェクト</translation>
    </message>
    <message>
        <source>any of them</source>
        <translation>いずれか</translation>
    </message>
    <message>
        <source>Give</source>
        <translation>指定</translation>
    </message>
    <message>
        <source>Which to give</source>
        <translation>指定するもの</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OfferModel</name>
    <message>
        <source>Not callable over HTTP: %1</source>
        <translation>HTTP経由では呼び出せません: %1</translation>
    </message>
    <message>
        <source>Calls %1</source>
        <translation>%1を呼び出し</translation>
    </message>
    <message>
        <source>The server lists no tools</source>
        <translation>サーバーの一覧にツールはありません</translation>
    </message>
    <message>
        <source>The server lists no resources</source>
        <translation>サーバーの一覧にリソースはありません</translation>
    </message>
    <message>
        <source>The server lists no templates</source>
        <translation>サーバーの一覧にテンプレートはありません</translation>
    </message>
    <message>
        <source>The server lists no prompts</source>
        <translation>サーバーの一覧にプロンプトはありません</translation>
    </message>
    <message>
        <source>MCP App</source>
        <translation>MCP App</translation>
    </message>
    <message>
        <source>skill</source>
        <translation>スキル</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>読み取り専用</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>書き込み</translation>
    </message>
    <message>
        <source>destructive</source>
        <translation>破壊的</translation>
    </message>
    <message>
        <source>task</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>idempotent</source>
        <translation>冪等</translation>
    </message>
    <message>
        <source>open world</source>
        <translation>オープンワールド</translation>
    </message>
    <message>
        <source>may write</source>
        <translation>書き込みの可能性</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>保存済みの呼び出し</translation>
    </message>
    <message>
        <source>live</source>
        <translation>ライブ</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>変更あり</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>テンプレート</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未接続</translation>
    </message>
    <message>
        <source>not offered</source>
        <translation>提供なし</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>%1 loaded</source>
        <translation>%1 件読み込み済み</translation>
    </message>
    <message>
        <source>Load next page</source>
        <translation>次のページを読み込む</translation>
    </message>
    <message>
        <source>more on server</source>
        <translation>サーバーに続きあり</translation>
    </message>
    <message>
        <source>Load all</source>
        <translation>すべて読み込む</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1: %2, %3 loaded, more on the server</source>
        <translation>%1: %2、%3 件読み込み済み、サーバーに続きあり</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>(名前なし)</translation>
    </message>
    <message>
        <source>%1, not callable</source>
        <translation>%1、呼び出し不可</translation>
    </message>
    <message>
        <source>1 saved call</source>
        <translation>1 件の保存済みの呼び出し</translation>
    </message>
    <message>
        <source>%1 saved calls</source>
        <translation>%1 件の保存済みの呼び出し</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 個のツール</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 個のツール</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 個のリソース</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 個のリソース</translation>
    </message>
    <message>
        <source>1 template</source>
        <translation>1 個のテンプレート</translation>
    </message>
    <message>
        <source>%1 templates</source>
        <translation>%1 個のテンプレート</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 個のプロンプト</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 個のプロンプト</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>ツールなし</translation>
    </message>
    <message>
        <source>No resources</source>
        <translation>リソースなし</translation>
    </message>
    <message>
        <source>No templates</source>
        <translation>テンプレートなし</translation>
    </message>
    <message>
        <source>No prompts</source>
        <translation>プロンプトなし</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OfferTree</name>
    <message>
        <source>Filter the server&apos;s offering</source>
        <translation>サーバーの提供内容を絞り込む</translation>
    </message>
    <message>
        <source>Server offering</source>
        <translation>サーバーの提供内容</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>フィルター</translation>
    </message>
    <message>
        <source>Filter %1…</source>
        <translation>%1を絞り込む…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>「%1」に一致するものはありません</translation>
    </message>
    <message>
        <source>Esc clears the filter.</source>
        <translation>Escでフィルターをクリアします。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OnlyCallLine</name>
    <message>
        <source>Show all calls</source>
        <translation>すべての呼び出しを表示</translation>
    </message>
    <message>
        <source>Show all calls again</source>
        <translation>再びすべての呼び出しを表示</translation>
    </message>
    <message>
        <source>Only call %1</source>
        <translation>呼び出し%1のみ</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OpenAddressDialog</name>
    <message>
        <source>Open in the browser?</source>
        <translation>ブラウザーで開きますか?</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL and open it yourself.</source>
        <translation>ブラウザーを起動できませんでした。URLをコピーして自分で開いてください。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
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
        <translation>セッションの消失</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>タイムアウト</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>キャンセル済み</translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation>接続の消失</translation>
    </message>
    <message>
        <source>Not authorized</source>
        <translation>認可されていません</translation>
    </message>
    <message>
        <source>Invalid response</source>
        <translation>無効なレスポンス</translation>
    </message>
    <message>
        <source>No response</source>
        <translation>レスポンスなし</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Tool error</source>
        <translation>ツールエラー</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>入力が必要</translation>
    </message>
    <message>
        <source>error</source>
        <translation>エラー</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>レスポンスなし</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… 実行中</translation>
    </message>
    <message>
        <source>not supported</source>
        <translation>未対応</translation>
    </message>
    <message>
        <source>open</source>
        <translation>購読中</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>The call succeeded.</source>
        <translation>呼び出しは成功しました。</translation>
    </message>
    <message>
        <source>The tool ran and reported a failure (isError: true).</source>
        <translation>ツールは実行され、失敗を報告しました (isError: true)。</translation>
    </message>
    <message>
        <source>JSON-RPC error without a valid code.</source>
        <translation>有効なコードのないJSON-RPCエラーです。</translation>
    </message>
    <message>
        <source>JSON-RPC error %1.</source>
        <translation>JSON-RPCエラー%1です。</translation>
    </message>
    <message>
        <source>JSON-RPC error %1: %2.</source>
        <translation>JSON-RPCエラー%1: %2。</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 instead of a JSON-RPC response.</source>
        <translation>サーバーがJSON-RPCレスポンスではなくHTTP %1を返しました。</translation>
    </message>
    <message>
        <source>The server no longer knows the session.</source>
        <translation>サーバーはもうセッションを認識していません。</translation>
    </message>
    <message>
        <source>Timed out.</source>
        <translation>タイムアウトしました。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>キャンセルされました。</translation>
    </message>
    <message>
        <source>No response: the connection was lost.</source>
        <translation>レスポンスなし: 接続が失われました。</translation>
    </message>
    <message>
        <source>No response: the server requires authorization.</source>
        <translation>レスポンスなし: サーバーは認可を要求しています。</translation>
    </message>
    <message>
        <source>Not a valid response.</source>
        <translation>有効なレスポンスではありません。</translation>
    </message>
    <message>
        <source>No response.</source>
        <translation>レスポンスがありません。</translation>
    </message>
    <message>
        <source>Not a protocol error. The model sees this text.</source>
        <translation>プロトコルエラーではありません。モデルにはこのテキストが見えます。</translation>
    </message>
    <message>
        <source>The server returned a JSON-RPC error instead of a result.</source>
        <translation>サーバーが結果ではなくJSON-RPCエラーを返しました。</translation>
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
        <translation>%1 分%2 秒</translation>
    </message>
    <message>
        <source>fresh until %1 (public)</source>
        <translation>%1まで有効 (public)</translation>
    </message>
    <message>
        <source>fresh until %1 (private)</source>
        <translation>%1まで有効 (private)</translation>
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
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 件一致</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 件一致</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>検索中</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>見つかりません</translation>
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
        <translation>(キーチェーン内)</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>キーチェーン</translation>
    </message>
    <message>
        <source>Checked values are kept in the keychain of this computer, not in the list of servers.</source>
        <translation>チェックした値は、サーバーの一覧ではなくこのコンピューターのキーチェーンに保存されます。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::PlaceEditor</name>
    <message>
        <source>The schema is too large for form fields. Edit this value as JSON.</source>
        <translation>スキーマが大きすぎるためフォームのフィールドを表示できません。この値をJSONとして編集してください。</translation>
    </message>
    <message>
        <source>%1 of JSON, unchanged. Show and edit</source>
        <translation>%1のJSON、未変更。表示して編集</translation>
    </message>
    <message>
        <source>Not JSON; will be sent as a string: %1</source>
        <translation>JSONではありません。文字列として送信されます: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>ページ</translation>
    </message>
    <message>
        <source>Reset page</source>
        <translation>ページをリセット</translation>
    </message>
    <message>
        <source>Set everything on this page to its default</source>
        <translation>このページのすべてを既定値に戻す</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>制限なし</translation>
    </message>
    <message>
        <source>, or no limit</source>
        <translation>、または制限なし</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>言語</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>システムに合わせる</translation>
    </message>
    <message>
        <source>The window changes its language when this dialog is closed and no call is running. The command line and the manual are in English.</source>
        <translation>このダイアログが閉じられ、実行中の呼び出しがなくなると、ウィンドウの言語が変わります。コマンドラインとマニュアルは英語です。</translation>
    </message>
    <message>
        <source>General</source>
        <translation>全般</translation>
    </message>
    <message>
        <source>Show the menu bar</source>
        <translation>メニューバーを表示</translation>
    </message>
    <message>
        <source>While it is hidden, Alt or F10 opens it.</source>
        <translation>非表示のときは、AltまたはF10でメニューが開きます。</translation>
    </message>
    <message>
        <source>Only while another window is in front.</source>
        <translation>別のウィンドウが前面にある間だけです。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外観</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>テーマ</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>ライト</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>ダーク</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>ハイコントラスト</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>フォントサイズ</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>動きを減らす</translation>
    </message>
    <message>
        <source>Busy indicators do not move, text cursors do not blink, and times count in whole seconds. Always on if the desktop asks for it.</source>
        <translation>長さ不明の進捗表示とテキストカーソルは静止し、時間は秒単位で進みます。デスクトップの設定で求められている場合は常にオンです。</translation>
    </message>
    <message>
        <source>Timeouts and limits</source>
        <translation>タイムアウトと制限</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Request timeout</source>
        <translation>リクエストのタイムアウト</translation>
    </message>
    <message>
        <source>Total timeout</source>
        <translation>合計タイムアウト</translation>
    </message>
    <message>
        <source>A request ends after this time even if it reports progress. Time waiting for you or for a sign-in does not count.</source>
        <translation>進捗が報告されていても、リクエストはこの時間が過ぎると終了します。あなたの応答やサインインを待つ時間は含まれません。</translation>
    </message>
    <message>
        <source>Connection timeout</source>
        <translation>接続のタイムアウト</translation>
    </message>
    <message>
        <source>For opening the connection, and for each request of the handshake.</source>
        <translation>接続の確立と、ハンドシェイクの各リクエストに適用されます。</translation>
    </message>
    <message>
        <source>Request timeouts apply to the next request, the connection timeout to the next start of a server.</source>
        <translation>リクエストのタイムアウトは次のリクエストから、接続のタイムアウトはサーバーの次回の起動時から適用されます。</translation>
    </message>
    <message>
        <source>Recording and retention</source>
        <translation>記録と保持</translation>
    </message>
    <message>
        <source>Session size limit</source>
        <translation>セッションサイズの上限</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>Beyond the limit, calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted, not stored. Sessions that are being recorded get the new limit at once.</source>
        <translation>上限を超えても呼び出しは記録されます。通知、標準エラー出力など、要求していないサーバーの出力は件数のみ数え、保存しません。記録中のセッションには新しい上限がすぐに適用されます。</translation>
    </message>
    <message>
        <source>A session uses at most a tenth of the free disk space.</source>
        <translation>1つのセッションが使用するのは、空きディスク容量の10分の1までです。</translation>
    </message>
    <message>
        <source>A session uses at most a tenth of the free disk space, currently %1.</source>
        <translation>1つのセッションが使用するのは、空きディスク容量の10分の1 (現在は%1) までです。</translation>
    </message>
    <message>
        <source>In memory only</source>
        <translation>メモリ内のみ</translation>
    </message>
    <message>
        <source>Folder of sessions</source>
        <translation>セッションのフォルダー</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>フォルダーを開く</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>保存済み</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 件のセッション</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 件のセッション</translation>
    </message>
    <message>
        <source>Keep sessions for</source>
        <translation>セッションの保持期間</translation>
    </message>
    <message>
        <source> days</source>
        <translation> 日</translation>
    </message>
    <message>
        <source>Total size of sessions</source>
        <translation>セッションの合計サイズ</translation>
    </message>
    <message>
        <source>Number of sessions</source>
        <translation>セッションの数</translation>
    </message>
    <message>
        <source>Privacy and approval</source>
        <translation>プライバシーと承認</translation>
    </message>
    <message>
        <source>Ask before calling tools without annotations</source>
        <translation>アノテーションのないツールを呼び出す前に確認</translation>
    </message>
    <message>
        <source>A tool without annotations may be destructive. Sonde always asks before calling a tool that is annotated as destructive.</source>
        <translation>アノテーションのないツールは破壊的である可能性があります。破壊的というアノテーションのあるツールについては、呼び出す前に必ず確認します。</translation>
    </message>
    <message>
        <source>Add opened sessions to the desktop&apos;s list of recent files</source>
        <translation>開いたセッションをデスクトップの最近使ったファイルの一覧に追加</translation>
    </message>
    <message>
        <source>Forget all…</source>
        <translation>すべて消去…</translation>
    </message>
    <message>
        <source>Remembered arguments</source>
        <translation>記憶した引数</translation>
    </message>
    <message>
        <source>The arguments of your last calls fill the forms at the next start. Detected secrets are not remembered.</source>
        <translation>直近の呼び出しの引数が、次回の起動時にフォームに入力されます。検出されたシークレットは記憶されません。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Of 1 tool</source>
        <translation>1 個のツール</translation>
    </message>
    <message>
        <source>Of %1 tools</source>
        <translation>%1 個のツール</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>表示密度</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>標準</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>コンパクト</translation>
    </message>
    <message>
        <source>Notify me when a server is waiting for me</source>
        <translation>サーバーが応答を待っているときに通知</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
    <message>
        <source>Default: no limit · at most %1</source>
        <translation>既定: 制限なし · 最大%1</translation>
    </message>
    <message>
        <source>Default: %1 · from %2 to %3</source>
        <translation>既定: %1 · %2～%3</translation>
    </message>
    <message>
        <source>Reopen the tabs that were open</source>
        <translation>前回開いていたタブを開く</translation>
    </message>
    <message>
        <source>Restores tabs with their unsent input, opened sessions and filters at the next start. Servers are not started, and detected secrets are not saved.</source>
        <translation>次回の起動時に、未送信の入力を含むタブ、開いていたセッション、フィルターを復元します。サーバーは起動されず、検出されたシークレットは保存されません。</translation>
    </message>
    <message>
        <source>A request without a response or progress for this long ends with “No response”, and the server is notified.</source>
        <translation>この時間レスポンスも進捗もない場合、リクエストは「レスポンスなし」として終了し、サーバーに通知されます。</translation>
    </message>
    <message>
        <source>Sonde never deletes a session by itself. Sessions beyond these limits are proposed for deletion in the list of recorded sessions. Pinned and open sessions are kept.</source>
        <translation>Sondeがセッションを勝手に削除することはありません。これらの制限を超えたセッションは、記録済みセッションの一覧で削除候補として提示されます。ピン留めしたセッションと開いているセッションは残ります。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ProblemLine</name>
    <message>
        <source>1 problem</source>
        <translation>1 件の問題</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 件の問題</translation>
    </message>
    <message>
        <source> · you can still send it</source>
        <translation> · このまま送信できます</translation>
    </message>
    <message>
        <source>1 remark</source>
        <translation>1 件の注意点</translation>
    </message>
    <message>
        <source>%1 remarks</source>
        <translation>%1 件の注意点</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>問題なし</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RawPage</name>
    <message>
        <source>Message exactly as received</source>
        <translation>受信したままのメッセージ</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>メッセージをコピー</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>名前を付けて保存…</translation>
    </message>
    <message>
        <source>Save the message as a file</source>
        <translation>メッセージをファイルとして保存</translation>
    </message>
    <message>
        <source>%1, exactly as received</source>
        <translation>%1、受信したまま</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RecordDetails</name>
    <message>
        <source>No findings</source>
        <translation>検出事項なし</translation>
    </message>
    <message>
        <source>No JSON, JSON-RPC or MCP violations found.</source>
        <translation>JSON、JSON-RPC、MCPの違反は見つかりませんでした。</translation>
    </message>
    <message>
        <source>Details of the selected record</source>
        <translation>選択したレコードの詳細</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>レスポンス</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>リクエスト</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>レコード</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>ヘッダー</translation>
    </message>
    <message>
        <source>Headers of the HTTP request and response</source>
        <translation>HTTPリクエストとレスポンスのヘッダー</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>検出事項</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>情報</translation>
    </message>
    <message>
        <source>Times, sizes and other information</source>
        <translation>時刻、サイズ、その他の情報</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>再送信</translation>
    </message>
    <message>
        <source>Send again; a request gets a new ID</source>
        <translation>再送信。リクエストには新しいIDが付きます</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>編集…</translation>
    </message>
    <message>
        <source>Edit and send…</source>
        <translation>編集して送信…</translation>
    </message>
    <message>
        <source>Edit this message, then send it</source>
        <translation>このメッセージを編集してから送信</translation>
    </message>
    <message>
        <source>Record as a tree</source>
        <translation>レコードをツリーで表示</translation>
    </message>
    <message>
        <source>Exact bytes of the record</source>
        <translation>レコードの正確なバイト列</translation>
    </message>
    <message>
        <source>Open in a window</source>
        <translation>ウィンドウで開く</translation>
    </message>
    <message>
        <source>Open in a separate window (Enter on the row)</source>
        <translation>別のウィンドウで開く (行でEnter)</translation>
    </message>
    <message>
        <source>Record info</source>
        <translation>レコードの情報</translation>
    </message>
    <message>
        <source>call</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>link</source>
        <translation>関連付け</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1を読み取っています…</translation>
    </message>
    <message>
        <source>request</source>
        <translation>リクエスト</translation>
    </message>
    <message>
        <source>response</source>
        <translation>レスポンス</translation>
    </message>
    <message>
        <source>Record view</source>
        <translation>レコードの表示</translation>
    </message>
    <message>
        <source>Close the details</source>
        <translation>詳細を閉じる</translation>
    </message>
    <message>
        <source>Close the details (Esc on the row)</source>
        <translation>詳細を閉じる (行で Esc)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RecordedCallPanel</name>
    <message>
        <source>Not called in this session</source>
        <translation>このセッションでは呼び出されていません</translation>
    </message>
    <message>
        <source>Its recorded calls would be listed here.</source>
        <translation>記録された呼び出しがあれば、ここに一覧表示されます。</translation>
    </message>
    <message>
        <source>A template is not read itself</source>
        <translation>テンプレート自体は読み取られません</translation>
    </message>
    <message>
        <source>Its resources are in the timeline.</source>
        <translation>そのリソースはタイムラインにあります。</translation>
    </message>
    <message>
        <source>Show in timeline</source>
        <translation>タイムラインに表示</translation>
    </message>
    <message>
        <source>Call again on…</source>
        <translation>もう一度呼び出すサーバー…</translation>
    </message>
    <message>
        <source>Recorded %1; arguments and results as they were then.</source>
        <translation>%1に記録。引数と結果は当時のものです。</translation>
    </message>
    <message>
        <source>Recorded calls</source>
        <translation>記録された呼び出し</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>成否</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>Protocol error</source>
        <translation>プロトコルエラー</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み取っています…</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>レスポンスは記録されていません。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayBar</name>
    <message>
        <source>Run again</source>
        <translation>もう一度実行</translation>
    </message>
    <message>
        <source>Accept as baseline</source>
        <translation>ベースラインとして採用</translation>
    </message>
    <message>
        <source>Accept…</source>
        <translation>採用…</translation>
    </message>
    <message>
        <source>Show only these steps</source>
        <translation>これらのステップのみ表示</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>結果をエクスポート</translation>
    </message>
    <message>
        <source>Export results for CI</source>
        <translation>CI用に結果をエクスポート</translation>
    </message>
    <message>
        <source>JUnit (XML)…</source>
        <translation>JUnit (XML)…</translation>
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
        <translation>以降の呼び出しを行わない (Esc)</translation>
    </message>
    <message>
        <source>Ignore rules</source>
        <translation>無視ルール</translation>
    </message>
    <message>
        <source>Ignore rules %1</source>
        <translation>無視ルール %1</translation>
    </message>
    <message>
        <source>The new responses replace the recorded ones; the old session is kept</source>
        <translation>新しいレスポンスが記録済みのものを置き換えます。元のセッションは保持されます</translation>
    </message>
    <message>
        <source>What came back becomes what is expected, in the files of the calls that did not pass</source>
        <translation>合格しなかった呼び出しのファイルで、返された内容を期待する内容にします</translation>
    </message>
    <message>
        <source>JUnit report…</source>
        <translation>JUnit レポート…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayDialog</name>
    <message>
        <source>Starts a separate instance: %1. A running server is not affected.</source>
        <translation>別のインスタンスを起動します: %1。実行中のサーバーには影響しません。</translation>
    </message>
    <message>
        <source>Opens a separate connection to %1; an open connection is not affected.</source>
        <translation>%1への別の接続を開きます。開いている接続には影響しません。</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>リプレイ</translation>
    </message>
    <message>
        <source>&amp;All calls</source>
        <translation>すべての呼び出し(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Matching a filter</source>
        <translation>フィルターに一致(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Session</source>
        <translation>セッション(&amp;S)</translation>
    </message>
    <message>
        <source>Tar&amp;get server</source>
        <translation>対象サーバー(&amp;G)</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Tools with side effects</source>
        <translation>副作用のあるツール</translation>
    </message>
    <message>
        <source>All tools that are not annotated as read-only or non-destructive</source>
        <translation>読み取り専用または非破壊的というアノテーションのないすべてのツール</translation>
    </message>
    <message>
        <source>Ask before each</source>
        <translation>毎回確認</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>スキップ</translation>
    </message>
    <message>
        <source>Run without asking</source>
        <translation>確認せずに実行</translation>
    </message>
    <message>
        <source>Tools with
side &amp;effects</source>
        <translation>副作用のある
ツール(&amp;E)</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>セッション</translation>
    </message>
    <message>
        <source>Other file…</source>
        <translation>ほかのファイル…</translation>
    </message>
    <message>
        <source>Target server</source>
        <translation>対象サーバー</translation>
    </message>
    <message>
        <source>Command line or URL…</source>
        <translation>コマンドラインまたはURL…</translation>
    </message>
    <message>
        <source>Command line or URL</source>
        <translation>コマンドラインまたはURL</translation>
    </message>
    <message>
        <source>Filter for calls</source>
        <translation>呼び出しのフィルター</translation>
    </message>
    <message>
        <source>tool == search and ms &gt; 500</source>
        <translation>tool == search and ms &gt; 500</translation>
    </message>
    <message>
        <source>Ctrl+Space completes fields, values and JSON pointers</source>
        <translation>Ctrl+Spaceでフィールド、値、JSONポインターを補完</translation>
    </message>
    <message>
        <source>Choose a session</source>
        <translation>セッションを選択</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>セッション (*.mcpsession);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>&amp;Selected calls: none</source>
        <translation>選択した呼び出し: なし(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Selected call</source>
        <translation>選択した呼び出し(&amp;S)</translation>
    </message>
    <message>
        <source>%1 &amp;selected calls</source>
        <translation>選択した%1 件の呼び出し(&amp;S)</translation>
    </message>
    <message>
        <source>No sessions yet. Connect to a server, or choose a file.</source>
        <translation>セッションはまだありません。サーバーに接続するか、ファイルを選択してください。</translation>
    </message>
    <message>
        <source>The URL was redacted in the session. Enter it, or choose a server.</source>
        <translation>URLはセッションでマスクされています。入力するか、サーバーを選択してください。</translation>
    </message>
    <message>
        <source>Enter a command line or URL.</source>
        <translation>コマンドラインまたはURLを入力してください。</translation>
    </message>
    <message>
        <source>“%1” is not in the list of servers. Choose a server, or enter a command line or URL.</source>
        <translation>「%1」はサーバーの一覧にありません。サーバーを選択するか、コマンドラインまたはURLを入力してください。</translation>
    </message>
    <message>
        <source>A secret was redacted in the session. Replace ‹…› with the real value.</source>
        <translation>シークレットはセッションでマスクされています。‹…›を実際の値に置き換えてください。</translation>
    </message>
    <message>
        <source>Filter: %1</source>
        <translation>フィルター: %1</translation>
    </message>
    <message>
        <source>Enter a filter, or choose all calls.</source>
        <translation>フィルターを入力するか、すべての呼び出しを選択してください。</translation>
    </message>
    <message>
        <source>Same as when recorded. </source>
        <translation>記録時と同じです。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayDifferences</name>
    <message>
        <source>rule: timestamps</source>
        <translation>ルール: タイムスタンプ</translation>
    </message>
    <message>
        <source>rule: UUIDs</source>
        <translation>ルール: UUID</translation>
    </message>
    <message>
        <source>rule: %1</source>
        <translation>ルール: %1</translation>
    </message>
    <message>
        <source>rule: this path</source>
        <translation>ルール: このパス</translation>
    </message>
    <message>
        <source>a secret</source>
        <translation>シークレット</translation>
    </message>
    <message>
        <source>It was redacted when recorded.</source>
        <translation>記録時にマスクされました。</translation>
    </message>
    <message>
        <source>a cursor</source>
        <translation>カーソル</translation>
    </message>
    <message>
        <source>Only meaningful to the server that created it.</source>
        <translation>作成したサーバーにとってのみ意味があります。</translation>
    </message>
    <message>
        <source>a task ID</source>
        <translation>タスクID</translation>
    </message>
    <message>
        <source>Each server names its tasks itself.</source>
        <translation>タスクの名前は各サーバーが独自に付けます。</translation>
    </message>
    <message>
        <source>Ignored: %1</source>
        <translation>無視: %1</translation>
    </message>
    <message>
        <source>This path in responses of %1</source>
        <translation>%1のレスポンスのこのパス</translation>
    </message>
    <message>
        <source>This path in all items, in responses of %1</source>
        <translation>%1のレスポンスの、すべての要素のこのパス</translation>
    </message>
    <message>
        <source>This path in every response</source>
        <translation>すべてのレスポンスのこのパス</translation>
    </message>
    <message>
        <source>Timestamps here</source>
        <translation>ここのタイムスタンプ</translation>
    </message>
    <message>
        <source>Timestamps everywhere</source>
        <translation>すべてのタイムスタンプ</translation>
    </message>
    <message>
        <source>UUIDs here</source>
        <translation>ここのUUID</translation>
    </message>
    <message>
        <source>UUIDs everywhere</source>
        <translation>すべてのUUID</translation>
    </message>
    <message>
        <source>Text matching…</source>
        <translation>一致するテキスト…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayPanel</name>
    <message>
        <source>Cannot create this rule</source>
        <translation>このルールを作成できません</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>実行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Skip</source>
        <translation>スキップ(&amp;S)</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>すべて実行</translation>
    </message>
    <message>
        <source>Skip all</source>
        <translation>すべてスキップ</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>採用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Replay · %1 → %2</source>
        <translation>リプレイ · %1 → %2</translation>
    </message>
    <message>
        <source>%1 may change or delete data. Run it?</source>
        <translation>%1はデータを変更または削除する可能性があります。実行しますか?</translation>
    </message>
    <message>
        <source>Step %1, with %2</source>
        <translation>ステップ%1、引数: %2</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>保存済みの呼び出しとして保存…</translation>
    </message>
    <message>
        <source>loading the session…</source>
        <translation>セッションを読み込んでいます…</translation>
    </message>
    <message>
        <source>starting the server…</source>
        <translation>サーバーを起動しています…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 ステップ</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 ステップ</translation>
    </message>
    <message>
        <source>The session was not fully replayed</source>
        <translation>セッションの一部はリプレイされませんでした</translation>
    </message>
    <message>
        <source>These recorded server requests outside of calls did not occur</source>
        <translation>記録されている、呼び出し以外での次のサーバーからのリクエストは発生しませんでした</translation>
    </message>
    <message>
        <source>The session was not replayed</source>
        <translation>セッションはリプレイされませんでした</translation>
    </message>
    <message>
        <source>The connection to the server was lost during the replay</source>
        <translation>リプレイ中にサーバーへの接続が失われました</translation>
    </message>
    <message>
        <source>The server did not start</source>
        <translation>サーバーが起動しませんでした</translation>
    </message>
    <message>
        <source>The server could not be reached</source>
        <translation>サーバーに到達できませんでした</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>セッションを読み込んでいます…</translation>
    </message>
    <message>
        <source>Nothing was replayed</source>
        <translation>何もリプレイされませんでした</translation>
    </message>
    <message>
        <source>No calls</source>
        <translation>呼び出しなし</translation>
    </message>
    <message>
        <source>This session contains no requests to a server.</source>
        <translation>このセッションにはサーバーへのリクエストがありません。</translation>
    </message>
    <message>
        <source>None of the session&apos;s calls match the selection.</source>
        <translation>選択に一致する呼び出しはこのセッションにありません。</translation>
    </message>
    <message>
        <source>The rules apply to this replay but could not be saved</source>
        <translation>ルールはこのリプレイに適用されますが、保存できませんでした</translation>
    </message>
    <message>
        <source>Accept these responses as the new baseline?</source>
        <translation>これらのレスポンスを新しいベースラインとして採用しますか?</translation>
    </message>
    <message>
        <source>%1 will contain the new responses. The previous session is kept in the same folder as NAME.before-DATE.</source>
        <translation>%1に新しいレスポンスが保存されます。以前のセッションは同じフォルダーにNAME.before-DATEとして残ります。</translation>
    </message>
    <message>
        <source>Not accepted; the session is unchanged.</source>
        <translation>採用されませんでした。セッションは変更されていません。</translation>
    </message>
    <message>
        <source>Accepted: %1 now contains the new responses.</source>
        <translation>採用しました: %1には新しいレスポンスが含まれています。</translation>
    </message>
    <message>
        <source>The previous session is %1.</source>
        <translation>以前のセッションは%1です。</translation>
    </message>
    <message>
        <source>Restored, but not run</source>
        <translation>復元されましたが、実行されていません</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Run again.</source>
        <translation>「もう一度実行」をクリックするまで何も送信されません。</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>実行されませんでした</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepList</name>
    <message>
        <source>Filter steps</source>
        <translation>ステップを絞り込む</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>検索しています…</translation>
    </message>
    <message>
        <source>No matching steps</source>
        <translation>一致するステップはありません</translation>
    </message>
    <message>
        <source>Change the filter, or click the badge again.</source>
        <translation>フィルターを変更するか、バッジをもう一度クリックしてください。</translation>
    </message>
    <message>
        <source>Filter: words or ms &gt; 500</source>
        <translation>絞り込み: 語句 または ms &gt; 500</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepView</name>
    <message>
        <source>No step selected</source>
        <translation>ステップが選択されていません</translation>
    </message>
    <message>
        <source>Select a step on the left to see its differences.</source>
        <translation>左側でステップを選択すると差異が表示されます。</translation>
    </message>
    <message>
        <source>There are more differences; comparison stopped here.</source>
        <translation>ほかにも差異がありますが、比較はここで停止しました。</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>左右に並べて表示</translation>
    </message>
    <message>
        <source>Response before</source>
        <translation>前のレスポンス</translation>
    </message>
    <message>
        <source>Response after</source>
        <translation>後のレスポンス</translation>
    </message>
    <message>
        <source>Step view</source>
        <translation>ステップの表示</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差異</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>前</translation>
    </message>
    <message>
        <source>The recorded response</source>
        <translation>記録されたレスポンス</translation>
    </message>
    <message>
        <source>After</source>
        <translation>後</translation>
    </message>
    <message>
        <source>The response of this replay</source>
        <translation>このリプレイのレスポンス</translation>
    </message>
    <message>
        <source>Ignore ▾</source>
        <translation>無視 ▾</translation>
    </message>
    <message>
        <source>Ignore this difference: menu</source>
        <translation>この差異を無視: メニュー</translation>
    </message>
    <message>
        <source>No arguments</source>
        <translation>引数なし</translation>
    </message>
    <message>
        <source>Arguments sent</source>
        <translation>送信した引数</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>The server requests differ from the recorded ones.</source>
        <translation>サーバーからのリクエストが記録と異なります。</translation>
    </message>
    <message>
        <source>Not run yet.</source>
        <translation>まだ実行されていません。</translation>
    </message>
    <message>
        <source>Waiting for response…</source>
        <translation>レスポンスを待っています…</translation>
    </message>
    <message>
        <source>Identical to the recorded response.</source>
        <translation>記録されたレスポンスと同一です。</translation>
    </message>
    <message>
        <source>Findings about this response</source>
        <translation>このレスポンスの検出事項</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepsModel</name>
    <message>
        <source>Duration when recorded, in milliseconds</source>
        <translation>記録時の所要時間 (ミリ秒)</translation>
    </message>
    <message>
        <source>Duration in this replay, in milliseconds</source>
        <translation>このリプレイでの所要時間 (ミリ秒)</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Before (ms)</source>
        <translation>前 (ms)</translation>
    </message>
    <message>
        <source>After (ms)</source>
        <translation>後 (ms)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepsTable</name>
    <message>
        <source>Steps</source>
        <translation>ステップ</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayText</name>
    <message>
        <source>waiting</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… 実行中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>same</source>
        <translation>同じ</translation>
    </message>
    <message>
        <source>server request</source>
        <translation>サーバーからのリクエスト</translation>
    </message>
    <message>
        <source>changed: different server requests</source>
        <translation>変更: サーバーからのリクエストが異なる</translation>
    </message>
    <message>
        <source>result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>changed: result instead of an error</source>
        <translation>変更: エラーではなく結果</translation>
    </message>
    <message>
        <source>changed in 1 place</source>
        <translation>1 か所を変更</translation>
    </message>
    <message>
        <source>changed in %1 places</source>
        <translation>%1 か所を変更</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未送信</translation>
    </message>
    <message>
        <source>failed: not sent</source>
        <translation>失敗: 未送信</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>レスポンスなし</translation>
    </message>
    <message>
        <source>failed: no response</source>
        <translation>失敗: レスポンスなし</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失敗: %1</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>スキップ</translation>
    </message>
    <message>
        <source>%1 same</source>
        <translation>%1 件同じ</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 件変更</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 件失敗</translation>
    </message>
    <message>
        <source>%1 skipped</source>
        <translation>%1 件スキップ</translation>
    </message>
    <message>
        <source>%1 passed</source>
        <translation>%1 件合格</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 件のエラー</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 件のエラー</translation>
    </message>
    <message>
        <source>1 ignored by rule</source>
        <translation>1 件をルールにより無視</translation>
    </message>
    <message>
        <source>%1 ignored by rules</source>
        <translation>%1 件をルールにより無視</translation>
    </message>
    <message>
        <source>no differences</source>
        <translation>差異なし</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>timestamps</source>
        <translation>タイムスタンプ</translation>
    </message>
    <message>
        <source>UUIDs</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>text matching %1</source>
        <translation>%1に一致するテキスト</translation>
    </message>
    <message>
        <source> anywhere</source>
        <translation> 場所: すべて</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation> 場所: %1</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation> 対象: %1</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> 対象: %1</translation>
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
        <translation>終了</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>開きました</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 時間</translation>
    </message>
    <message>
        <source>waiting %1</source>
        <translation>%1待機中</translation>
    </message>
    <message>
        <source>during %1</source>
        <translation>%1の実行中</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequestPage</name>
    <message>
        <source>Decline</source>
        <translation>辞退</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Request from %1</source>
        <translation>%1からのリクエスト</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Tells the server that you declined</source>
        <translation>辞退したことをサーバーに伝えます</translation>
    </message>
    <message>
        <source>Does not open it; nothing is sent to the server</source>
        <translation>開かず、サーバーに何も送信しません</translation>
    </message>
    <message>
        <source>Tells the server that you dismissed the request without deciding</source>
        <translation>決定せずにリクエストを閉じたことをサーバーに伝えます</translation>
    </message>
    <message>
        <source>Tells the server that you rejected its request</source>
        <translation>リクエストを却下したことをサーバーに伝えます</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>却下</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>その他 ▾</translation>
    </message>
    <message>
        <source>More ways to respond</source>
        <translation>その他の応答方法</translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · %2/%3</translation>
    </message>
    <message>
        <source>Next request (%1 waiting)</source>
        <translation>次のリクエスト (%1 件待機中)</translation>
    </message>
    <message>
        <source>waiting %1</source>
        <translation>%1待機中</translation>
    </message>
    <message>
        <source>during %1</source>
        <translation>%1の実行中</translation>
    </message>
    <message>
        <source>The server withdrew this request.</source>
        <translation>サーバーがこのリクエストを取り下げました。</translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>何も送信されませんでした。</translation>
    </message>
    <message>
        <source>Its reason: “%1”. Nothing was sent.</source>
        <translation>理由: 「%1」。何も送信されませんでした。</translation>
    </message>
    <message>
        <source>The call has ended.</source>
        <translation>呼び出しは終了しました。</translation>
    </message>
    <message>
        <source>%1 What you entered was not sent.</source>
        <translation>%1入力した内容は送信されませんでした。</translation>
    </message>
    <message>
        <source>You closed the connection to the server.</source>
        <translation>サーバーへの接続を閉じました。</translation>
    </message>
    <message>
        <source>Nothing was sent. The request is in the timeline.</source>
        <translation>何も送信されませんでした。リクエストはタイムラインにあります。</translation>
    </message>
    <message>
        <source>The connection to the server was lost.</source>
        <translation>サーバーへの接続が失われました。</translation>
    </message>
    <message>
        <source>This is no longer needed.</source>
        <translation>これはもう必要ありません。</translation>
    </message>
    <message>
        <source>Nothing was opened here.</source>
        <translation>ここでは何も開かれませんでした。</translation>
    </message>
    <message>
        <source>Completed, according to the server.</source>
        <translation>サーバーによると、完了しています。</translation>
    </message>
    <message>
        <source>It is still waiting for your response.</source>
        <translation>まだあなたの応答を待っています。</translation>
    </message>
    <message>
        <source>Sonde cannot see what you do there. The server may report here when it is completed.</source>
        <translation>そこで行う操作はSondeには見えません。完了すると、サーバーがここに報告することがあります。</translation>
    </message>
    <message>
        <source>Opened in your browser.</source>
        <translation>ブラウザーで開きました。</translation>
    </message>
    <message>
        <source>Try the call again when you are done.</source>
        <translation>完了したら、もう一度呼び出してください。</translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation>送信されませんでした: %1</translation>
    </message>
    <message>
        <source>Last response</source>
        <translation>前回の応答</translation>
    </message>
    <message>
        <source>Always respond like this until the server stops</source>
        <translation>サーバーが停止するまで常にこのように応答</translation>
    </message>
    <message>
        <source>Always respond like this, including to the other waiting request</source>
        <translation>待機中のほかのリクエストも含めて、常にこのように応答</translation>
    </message>
    <message>
        <source>Always respond like this, including to the %1 other waiting requests</source>
        <translation>待機中のほかの%1 件のリクエストも含めて、常にこのように応答</translation>
    </message>
    <message>
        <source>Send without validation</source>
        <translation>検証せずに送信</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequestPanel</name>
    <message>
        <source>Decline all</source>
        <translation>すべて辞退</translation>
    </message>
    <message>
        <source>Server requests</source>
        <translation>サーバーからのリクエスト</translation>
    </message>
    <message>
        <source>Open server requests</source>
        <translation>未応答のサーバーからのリクエスト</translation>
    </message>
    <message>
        <source>Declines all waiting requests, including those of other servers</source>
        <translation>ほかのサーバーのものも含め、待機中のすべてのリクエストを辞退します</translation>
    </message>
    <message>
        <source>Fold to the status line</source>
        <translation>ステータス行に折りたたむ</translation>
    </message>
    <message>
        <source>Fold to the status line; nothing is sent</source>
        <translation>ステータス行に折りたたむ (何も送信されません)</translation>
    </message>
    <message>
        <source>Request from %1: %2</source>
        <translation>%1からのリクエスト: %2</translation>
    </message>
    <message>
        <source>%1 requests waiting for you</source>
        <translation>%1 件のリクエストがあなたを待っています</translation>
    </message>
    <message>
        <source>1 more request ended without a response.</source>
        <translation>ほかに1 件のリクエストが応答なしで終了しました。</translation>
    </message>
    <message>
        <source>%1 more requests ended without a response.</source>
        <translation>ほかに%1 件のリクエストが応答なしで終了しました。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequiredUrlsBanner</name>
    <message>
        <source>waiting for your consent</source>
        <translation>あなたの同意待ち</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>開きました</translation>
    </message>
    <message>
        <source>not opened</source>
        <translation>開いていません</translation>
    </message>
    <message>
        <source>%1 completed, according to the server</source>
        <translation>%1 サーバーによると完了</translation>
    </message>
    <message>
        <source>the connection was lost</source>
        <translation>接続が失われました</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Makes the same call again</source>
        <translation>同じ呼び出しをもう一度行います</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>1 more in the requests panel</source>
        <translation>ほか1 件はリクエストパネルにあります</translation>
    </message>
    <message>
        <source>%1 more in the requests panel</source>
        <translation>ほか%1 件はリクエストパネルにあります</translation>
    </message>
    <message>
        <source>Everything is completed, according to the server. Try the call again.</source>
        <translation>サーバーによると、すべて完了しています。もう一度呼び出してください。</translation>
    </message>
    <message>
        <source>Open a URL first, then try the call again.</source>
        <translation>まずURLを開き、それからもう一度呼び出してください。</translation>
    </message>
    <message>
        <source>Open %1 URLs first, then try the call again.</source>
        <translation>まず%1 個のURLを開き、それからもう一度呼び出してください。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResourceWatch</name>
    <message>
        <source>Response</source>
        <translation>レスポンス</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差異</translation>
    </message>
    <message>
        <source>Subscribed again when the server is connected.</source>
        <translation>サーバーに接続すると再び購読されます。</translation>
    </message>
    <message>
        <source>Subscription lost; reconnecting…</source>
        <translation>購読が失われました。再接続しています…</translation>
    </message>
    <message>
        <source>Subscribing…</source>
        <translation>購読しています…</translation>
    </message>
    <message>
        <source>Not subscribed: %1</source>
        <translation>購読していません: %1</translation>
    </message>
    <message>
        <source>The server ended the subscription.</source>
        <translation>サーバーが購読を終了しました。</translation>
    </message>
    <message>
        <source>Subscription lost: %1 %2</source>
        <translation>購読が失われました: %1 %2</translation>
    </message>
    <message>
        <source>● Live</source>
        <translation>● ライブ</translation>
    </message>
    <message>
        <source>● Live · changed at %1</source>
        <translation>● ライブ · %1に変更</translation>
    </message>
    <message>
        <source>Unsubscribe</source>
        <translation>購読を解除</translation>
    </message>
    <message>
        <source>Subscribe again</source>
        <translation>もう一度購読</translation>
    </message>
    <message>
        <source>Subscribe</source>
        <translation>購読</translation>
    </message>
    <message>
        <source>The server sends a notification when this resource changes; Sonde then reads it again.</source>
        <translation>このリソースが変わるとサーバーが通知を送信し、Sondeがもう一度読み取ります。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Result</name>
    <message>
        <source>1 channel</source>
        <translation>1 チャンネル</translation>
    </message>
    <message>
        <source>%1 channels</source>
        <translation>%1 チャンネル</translation>
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
        <translation>表示できる画像ではありません (宣言は%1)。</translation>
    </message>
    <message>
        <source>Looks like %1 but cannot be decoded.</source>
        <translation>%1のようですが、デコードできません。</translation>
    </message>
    <message>
        <source>Image too large to show: %1. You can save it.</source>
        <translation>画像が大きすぎて表示できません: %1。保存することはできます。</translation>
    </message>
    <message>
        <source>Declared as %1, but the data is %2.</source>
        <translation>宣言は%1ですが、データは%2です。</translation>
    </message>
    <message>
        <source>Invalid base64: %1</source>
        <translation>無効なbase64: %1</translation>
    </message>
    <message>
        <source>SVG, shown as source</source>
        <translation>SVG、ソースとして表示</translation>
    </message>
    <message>
        <source>The image cannot be decoded: %1.</source>
        <translation>画像をデコードできません: %1。</translation>
    </message>
    <message>
        <source>content</source>
        <translation>コンテンツ</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>名前を付けて保存</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>保存されませんでした: %1</translation>
    </message>
    <message>
        <source>Saved to %1</source>
        <translation>%1に保存しました</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultHeader</name>
    <message>
        <source>Response view</source>
        <translation>レスポンスの表示</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>The result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Structured</source>
        <translation>構造化</translation>
    </message>
    <message>
        <source>Structured content as a tree</source>
        <translation>構造化コンテンツをツリーで表示</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>生データ</translation>
    </message>
    <message>
        <source>Message exactly as received</source>
        <translation>受信したままのメッセージ</translation>
    </message>
    <message>
        <source>… resuming</source>
        <translation>… 再開中</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… 実行中</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>キャッシュから</translation>
    </message>
    <message>
        <source>Duration, size and time: %1</source>
        <translation>所要時間、サイズ、時刻: %1</translation>
    </message>
    <message>
        <source>Copy summary</source>
        <translation>概要をコピー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultMenus</name>
    <message>
        <source>Copy message as JSON</source>
        <translation>メッセージをJSONとしてコピー</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>検索…</translation>
    </message>
    <message>
        <source>Filter timeline by this value</source>
        <translation>この値でタイムラインを絞り込む</translation>
    </message>
    <message>
        <source>Filter timeline by selected text</source>
        <translation>選択したテキストでタイムラインを絞り込む</translation>
    </message>
    <message>
        <source>Filter timeline by this resource</source>
        <translation>このリソースでタイムラインを絞り込む</translation>
    </message>
    <message>
        <source>Filter timeline by this call</source>
        <translation>この呼び出しでタイムラインを絞り込む</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultView</name>
    <message>
        <source>Response</source>
        <translation>レスポンス</translation>
    </message>
    <message>
        <source>Structured content</source>
        <translation>構造化コンテンツ</translation>
    </message>
    <message>
        <source>The server returned no contents.</source>
        <translation>サーバーは内容を返しませんでした。</translation>
    </message>
    <message>
        <source>Show more of the response</source>
        <translation>レスポンスをさらに表示</translation>
    </message>
    <message>
        <source>1 block not shown</source>
        <translation>1 個のブロックは非表示</translation>
    </message>
    <message>
        <source>%1 blocks not shown</source>
        <translation>%1 個のブロックは非表示</translation>
    </message>
    <message>
        <source>Show %1 more of %2</source>
        <translation>%2 個中さらに%1 個を表示</translation>
    </message>
    <message>
        <source>The result has no content.</source>
        <translation>結果にコンテンツがありません。</translation>
    </message>
    <message>
        <source>No content blocks. Hosts that read only content show the model nothing.</source>
        <translation>コンテンツブロックがありません。contentだけを読み取るホストは、モデルに何も見せません。</translation>
    </message>
    <message>
        <source>Empty content; a model would see nothing.</source>
        <translation>空のコンテンツです。モデルには何も見えません。</translation>
    </message>
    <message>
        <source>does not match outputSchema</source>
        <translation>outputSchemaに適合しません</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>未検証</translation>
    </message>
    <message>
        <source>The prompt has no messages.</source>
        <translation>プロンプトにメッセージがありません。</translation>
    </message>
    <message>
        <source>no role</source>
        <translation>ロールなし</translation>
    </message>
    <message>
        <source>Role: %1</source>
        <translation>ロール: %1</translation>
    </message>
    <message>
        <source>Empty message.</source>
        <translation>空のメッセージ。</translation>
    </message>
    <message>
        <source>Error data</source>
        <translation>エラーデータ</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>診断</translation>
    </message>
    <message>
        <source>Last line of stderr</source>
        <translation>stderrの最後の行</translation>
    </message>
    <message>
        <source>Last %1 lines of stderr</source>
        <translation>stderrの最後の%1 行</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>No result yet</source>
        <translation>結果はまだありません</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1を読み取っています…</translation>
    </message>
    <message>
        <source>Copy error text</source>
        <translation>エラーテキストをコピー</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RetentionDialog</name>
    <message>
        <source>Delete sessions</source>
        <translation>セッションを削除</translation>
    </message>
    <message>
        <source>This session exceeds the limits that you set in Preferences.</source>
        <translation>このセッションは、設定で指定した制限を超えています。</translation>
    </message>
    <message>
        <source>These %1 sessions exceed the limits that you set in Preferences.</source>
        <translation>これらの%1 件のセッションは、設定で指定した制限を超えています。</translation>
    </message>
    <message>
        <source>Sessions to delete</source>
        <translation>削除するセッション</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>セッション</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>%1 in all. This cannot be undone.</source>
        <translation>合計%1。この操作は元に戻せません。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>これらを削除</translation>
    </message>
    <message>
        <source>%1 Pinned and open sessions are kept.</source>
        <translation>%1ピン留めしたセッションと開いているセッションは残ります。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RowComparison</name>
    <message>
        <source>Response</source>
        <translation>レスポンス</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>リクエスト</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RowMenu</name>
    <message>
        <source>Open in new window</source>
        <translation>新しいウィンドウで開く</translation>
    </message>
    <message>
        <source>Go to response</source>
        <translation>レスポンスへ移動</translation>
    </message>
    <message>
        <source>Go to request</source>
        <translation>リクエストへ移動</translation>
    </message>
    <message>
        <source>Replay selected…</source>
        <translation>選択項目をリプレイ…</translation>
    </message>
    <message>
        <source>Export selected…</source>
        <translation>選択項目をエクスポート…</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>JSONとしてコピー</translation>
    </message>
    <message>
        <source>Copy as curl</source>
        <translation>curlとしてコピー</translation>
    </message>
    <message>
        <source>HTTP only</source>
        <translation>HTTPのみ</translation>
    </message>
    <message>
        <source>Copy as sonde-cli command</source>
        <translation>sonde-cliコマンドとしてコピー</translation>
    </message>
    <message>
        <source>tools, resources and prompts only</source>
        <translation>ツール、リソース、プロンプトのみ</translation>
    </message>
    <message>
        <source>params are not an object</source>
        <translation>paramsがオブジェクトではありません</translation>
    </message>
    <message>
        <source>launch command not recorded</source>
        <translation>起動コマンドが記録されていません</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>再送信</translation>
    </message>
    <message>
        <source>Edit and send…</source>
        <translation>編集して送信…</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>保存済みの呼び出しとして保存…</translation>
    </message>
    <message>
        <source>Compare selected rows</source>
        <translation>選択した行を比較</translation>
    </message>
    <message>
        <source>Compare with #%1</source>
        <translation>#%1と比較</translation>
    </message>
    <message>
        <source>Select for comparison</source>
        <translation>比較対象に選択</translation>
    </message>
    <message>
        <source>Then choose another row, or select two rows with Ctrl.</source>
        <translation>その後、別の行を選択するか、Ctrlで2行を選択してください。</translation>
    </message>
    <message>
        <source>Show time</source>
        <translation>時刻の表示</translation>
    </message>
    <message>
        <source>As clock</source>
        <translation>時計の時刻</translation>
    </message>
    <message>
        <source>Since session start</source>
        <translation>セッション開始から</translation>
    </message>
    <message>
        <source>Since previous row</source>
        <translation>前の行から</translation>
    </message>
    <message>
        <source>Since its request</source>
        <translation>そのリクエストから</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RunningView</name>
    <message>
        <source>Show request</source>
        <translation>リクエストを表示</translation>
    </message>
    <message>
        <source>Elapsed time</source>
        <translation>経過時間</translation>
    </message>
    <message>
        <source>Progress message from the server</source>
        <translation>サーバーからの進捗メッセージ</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>進捗</translation>
    </message>
    <message>
        <source>Show the request of the server</source>
        <translation>サーバーのリクエストを表示</translation>
    </message>
    <message>
        <source>Shows the server&apos;s request</source>
        <translation>サーバーのリクエストを表示します</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>キャンセルしています…</translation>
    </message>
    <message>
        <source>Resuming (%1)… %2 s</source>
        <translation>再開しています (%1)… %2 秒</translation>
    </message>
    <message>
        <source>Waiting for sign-in… %1 s</source>
        <translation>サインインを待っています… %1 秒</translation>
    </message>
    <message>
        <source>Running as a task… %1 s</source>
        <translation>タスクとして実行中… %1 秒</translation>
    </message>
    <message>
        <source>Waiting for response… %1 s</source>
        <translation>レスポンスを待っています… %1 秒</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Cancel call</source>
        <translation>呼び出しをキャンセル</translation>
    </message>
    <message>
        <source>Waiting for your response… %1</source>
        <translation>あなたの応答を待っています… %1</translation>
    </message>
    <message>
        <source>Cancel the call</source>
        <translation>呼び出しをキャンセル</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SamplingBody</name>
    <message>
        <source>max %1 tokens</source>
        <translation>最大%1 トークン</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>温度 %1</translation>
    </message>
    <message>
        <source>stop sequences %1</source>
        <translation>停止シーケンス %1</translation>
    </message>
    <message>
        <source>context %1</source>
        <translation>コンテキスト %1</translation>
    </message>
    <message>
        <source>model like %1</source>
        <translation>モデルの希望 %1</translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation>コスト %1</translation>
    </message>
    <message>
        <source>speed %1</source>
        <translation>速度 %1</translation>
    </message>
    <message>
        <source>intelligence %1</source>
        <translation>知能 %1</translation>
    </message>
    <message>
        <source>tool call: %1</source>
        <translation>ツールの呼び出し: %1</translation>
    </message>
    <message>
        <source>tool result</source>
        <translation>ツールの結果</translation>
    </message>
    <message>
        <source>system</source>
        <translation>システム</translation>
    </message>
    <message>
        <source>(no role)</source>
        <translation>(ロールなし)</translation>
    </message>
    <message>
        <source>The server sent no messages.</source>
        <translation>サーバーはメッセージを送信しませんでした。</translation>
    </message>
    <message>
        <source>The timeline shows the rest.</source>
        <translation>残りはタイムラインに表示されます。</translation>
    </message>
    <message>
        <source>tool %1: %2</source>
        <translation>ツール「%1」: %2</translation>
    </message>
    <message>
        <source>tool choice: %1</source>
        <translation>ツールの選択: %1</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>ツールの呼び出し</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>sampling</translation>
    </message>
    <message>
        <source>Respond</source>
        <translation>応答</translation>
    </message>
    <message>
        <source>Short text</source>
        <translation>短いテキスト</translation>
    </message>
    <message>
        <source>Cut off at the token limit</source>
        <translation>トークン上限で打ち切り</translation>
    </message>
    <message>
        <source>Call the tool %1</source>
        <translation>ツール「%1」を呼び出し</translation>
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
        <translation>保存済みの呼び出しとして保存</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名前(&amp;N)</translation>
    </message>
    <message>
        <source>Expect the &amp;same error</source>
        <translation>同じエラーを期待(&amp;S)</translation>
    </message>
    <message>
        <source>Expect the &amp;same result</source>
        <translation>同じ結果を期待(&amp;S)</translation>
    </message>
    <message>
        <source>Otherwise any response with the same outcome passes</source>
        <translation>オフの場合は、成否が同じレスポンスはすべて合格になります</translation>
    </message>
    <message>
        <source>Expectation</source>
        <translation>期待</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>置き換え</translation>
    </message>
    <message>
        <source>Replaces %1.</source>
        <translation>%1を置き換えます。</translation>
    </message>
    <message>
        <source>Creates %1.</source>
        <translation>%1を作成します。</translation>
    </message>
    <message>
        <source>Secrets are not saved: they are read from the environment variables %1.</source>
        <translation>シークレットは保存されません。環境変数%1から読み取られます。</translation>
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
        <translation>ファイルを読み込む</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>自分の引数を保持</translation>
    </message>
    <message>
        <source>Show differences</source>
        <translation>差異を表示</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>採用</translation>
    </message>
    <message>
        <source>Write these arguments to the file</source>
        <translation>これらの引数をファイルに書き込む</translation>
    </message>
    <message>
        <source>Replace the arguments here by those of the file; undo brings them back</source>
        <translation>ここの引数をファイルの引数に置き換えます。元に戻す操作で戻せます</translation>
    </message>
    <message>
        <source>Keep the arguments here; Save writes them to the file</source>
        <translation>ここの引数を保持します。保存するとファイルに書き込まれます</translation>
    </message>
    <message>
        <source>What came back becomes what is expected, in the file</source>
        <translation>返された内容を、期待する内容としてファイルに書き込みます</translation>
    </message>
    <message>
        <source>%1 Save writes it again.</source>
        <translation>%1保存するともう一度書き込みます。</translation>
    </message>
    <message>
        <source>Another program changed the arguments in the file. Yours are not saved.</source>
        <translation>別のプログラムがファイルの引数を変更しました。あなたの引数は保存されていません。</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>保存されませんでした: %1</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>保存しました。</translation>
    </message>
    <message>
        <source>Saved. Secrets are read from the environment: %1.</source>
        <translation>保存しました。シークレットは環境変数から読み取られます: %1。</translation>
    </message>
    <message>
        <source>expects the saved result</source>
        <translation>保存した結果を期待</translation>
    </message>
    <message>
        <source>expects the saved error</source>
        <translation>保存したエラーを期待</translation>
    </message>
    <message>
        <source>expects %1</source>
        <translation>%1を期待</translation>
    </message>
    <message>
        <source>1 ignore rule</source>
        <translation>1 個の無視ルール</translation>
    </message>
    <message>
        <source>%1 ignore rules</source>
        <translation>%1 個の無視ルール</translation>
    </message>
    <message>
        <source>within %1 ms</source>
        <translation>%1 ms以内</translation>
    </message>
    <message>
        <source>Cancelled by you.</source>
        <translation>キャンセルしました。</translation>
    </message>
    <message>
        <source>Passed: %1, as expected</source>
        <translation>合格: 期待どおりの%1</translation>
    </message>
    <message>
        <source>Not as expected</source>
        <translation>期待と異なります</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SavedCallsPanel</name>
    <message>
        <source>Saved call</source>
        <translation>保存済みの呼び出し</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Duration in milliseconds</source>
        <translation>所要時間 (ミリ秒)</translation>
    </message>
    <message>
        <source>Rerun failed</source>
        <translation>失敗分を実行</translation>
    </message>
    <message>
        <source>Run those that did not pass again</source>
        <translation>合格しなかったものをもう一度実行</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>保存済みの呼び出し</translation>
    </message>
    <message>
        <source>The server was closed.</source>
        <translation>サーバーが閉じられました。</translation>
    </message>
    <message>
        <source>Saved calls · %1 → %2</source>
        <translation>保存済みの呼び出し · %1 → %2</translation>
    </message>
    <message>
        <source>Not all calls were run</source>
        <translation>一部の呼び出しは実行されませんでした</translation>
    </message>
    <message>
        <source>The server was restarted.</source>
        <translation>サーバーが再起動されました。</translation>
    </message>
    <message>
        <source>The server %1.</source>
        <translation>サーバーの状態: %1。</translation>
    </message>
    <message>
        <source>The server was stopped.</source>
        <translation>サーバーが停止されました。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 件の呼び出し</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 件の呼び出し</translation>
    </message>
    <message>
        <source>The suite is running</source>
        <translation>スイートを実行中です</translation>
    </message>
    <message>
        <source>No call has returned anything but what is expected</source>
        <translation>期待と異なる内容を返した呼び出しはありません</translation>
    </message>
    <message>
        <source>Restored, but not run</source>
        <translation>復元されましたが、実行されていません</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Run again.</source>
        <translation>「もう一度実行」をクリックするまで何も送信されません。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SchemaForm</name>
    <message>
        <source>This tool declares no arguments; you can add your own.</source>
        <translation>このツールは引数を宣言していませんが、引数を追加できます。</translation>
    </message>
    <message>
        <source>This tool takes no arguments.</source>
        <translation>このツールは引数を取りません。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SchemaWindow</name>
    <message>
        <source>Schema of %1</source>
        <translation>%1のスキーマ</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SecretEditor</name>
    <message>
        <source>empty string</source>
        <translation>空文字列</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SendDialog</name>
    <message>
        <source>Send  Ctrl+↵</source>
        <translation>送信  Ctrl+↵</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>リセット</translation>
    </message>
    <message>
        <source>Edit and send</source>
        <translation>編集して送信</translation>
    </message>
    <message>
        <source>Editing mode</source>
        <translation>編集モード</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>フィールド</translation>
    </message>
    <message>
        <source>Method, id and params</source>
        <translation>メソッド、id、params</translation>
    </message>
    <message>
        <source>Raw JSON</source>
        <translation>生のJSON</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>送信</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>メソッド</translation>
    </message>
    <message>
        <source>ID, as JSON</source>
        <translation>ID (JSON形式)</translation>
    </message>
    <message>
        <source>none (notification)</source>
        <translation>なし (通知)</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>params</translation>
    </message>
    <message>
        <source>no params</source>
        <translation>paramsなし</translation>
    </message>
    <message>
        <source>▲ Editing as fields needs valid JSON: an object with a method.</source>
        <translation>▲ フィールドとして編集するには、メソッドを持つオブジェクトである有効なJSONが必要です。</translation>
    </message>
    <message>
        <source>No ID; no response will follow</source>
        <translation>IDなし。レスポンスはありません</translation>
    </message>
    <message>
        <source>new ID</source>
        <translation>新しいID</translation>
    </message>
    <message>
        <source>Original ID; the response may be matched to the first request</source>
        <translation>元のID。レスポンスが最初のリクエストに対応付けられることがあります</translation>
    </message>
    <message>
        <source>Custom ID, as JSON</source>
        <translation>任意のID (JSON形式)</translation>
    </message>
    <message>
        <source>▲ This is not valid JSON. It will be sent anyway, unchanged, on one line.</source>
        <translation>▲ 有効なJSONではありません。そのままの内容で、1 行で送信されます。</translation>
    </message>
    <message>
        <source>A secret was redacted in the session. Replace ‹…› with the real value.</source>
        <translation>シークレットはセッションでマスクされています。‹…›を実際の値に置き換えてください。</translation>
    </message>
    <message>
        <source>Undo reset</source>
        <translation>リセットを元に戻す</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerDialog</name>
    <message>
        <source>Add and connect</source>
        <translation>追加して接続</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>変数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Inherit Sonde&apos;s full environment</source>
        <translation>Sondeの環境をすべて継承</translation>
    </message>
    <message>
        <source>Use the login shell&apos;s PATH</source>
        <translation>ログインシェルのPATHを使用</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Load lists page by page</source>
        <translation>一覧をページごとに読み込む</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>ヘッダー</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>サーバーを追加</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>%1を編集</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名前(&amp;N)</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>コマンドライン</translation>
    </message>
    <message>
        <source>&amp;Command line</source>
        <translation>コマンドライン(&amp;C)</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>作業ディレクトリ</translation>
    </message>
    <message>
        <source>home directory</source>
        <translation>ホームディレクトリ</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>選択…</translation>
    </message>
    <message>
        <source>&amp;Working directory</source>
        <translation>作業ディレクトリ(&amp;W)</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>環境変数(&amp;E)</translation>
    </message>
    <message>
        <source>Otherwise the server gets HOME, PATH, LANG and a few others, plus the variables above.</source>
        <translation>オフの場合、サーバーにはHOME、PATH、LANGなど少数の変数と上記の変数が渡されます。</translation>
    </message>
    <message>
        <source>PATH as in a terminal, where version managers set it. Your shell is run once to read it.</source>
        <translation>バージョンマネージャーが設定する、ターミナルと同じPATHです。読み取るためにシェルが1回実行されます。</translation>
    </message>
    <message>
        <source>&amp;URL</source>
        <translation>URL(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Transport</source>
        <translation>トランスポート(&amp;T)</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>ヘッダー</translation>
    </message>
    <message>
        <source>&amp;Headers</source>
        <translation>ヘッダー(&amp;H)</translation>
    </message>
    <message>
        <source>Sent with every request; secrets are masked in sessions.</source>
        <translation>すべてのリクエストとともに送信されます。シークレットはセッションでマスクされます。</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>サインイン</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>ネットワーク</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>トランスポート</translation>
    </message>
    <message>
        <source>Automatic tries Streamable HTTP first, then HTTP+SSE. Takes effect at the next start.</source>
        <translation>自動では、まずStreamable HTTP、次にHTTP+SSEを試します。次回の起動時に有効になります。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自動</translation>
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
        <translation>プロトコルリビジョン</translation>
    </message>
    <message>
        <source>Automatic sends server/discover to see whether the server supports 2026-07-28, and falls back to initialize. Takes effect at the next start.</source>
        <translation>自動では、server/discoverを送信してサーバーが2026-07-28をサポートするかを調べ、サポートしない場合はinitializeを使用します。次回の起動時に有効になります。</translation>
    </message>
    <message>
        <source>&amp;Protocol revision</source>
        <translation>プロトコルリビジョン(&amp;P)</translation>
    </message>
    <message>
        <source>Roots</source>
        <translation>Roots</translation>
    </message>
    <message>
        <source>Folders to send to the server when it asks for roots</source>
        <translation>サーバーがrootsを要求したときに送信するフォルダー</translation>
    </message>
    <message>
        <source>&amp;Roots</source>
        <translation>Roots(&amp;R)</translation>
    </message>
    <message>
        <source>Elicitation: forms</source>
        <translation>Elicitation: フォーム</translation>
    </message>
    <message>
        <source>Elicitation: URLs</source>
        <translation>Elicitation: URL</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>Sampling: tools</source>
        <translation>Sampling: ツール</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Client info (2026-07-28)</source>
        <translation>クライアント情報 (2026-07-28)</translation>
    </message>
    <message>
        <source>Client capabilities</source>
        <translation>クライアントのケイパビリティ</translation>
    </message>
    <message>
        <source>Switch one off to see how the server treats a client without it. Takes effect at the next start.</source>
        <translation>オフにすると、その機能を持たないクライアントをサーバーがどう扱うかを確認できます。次回の起動時に有効になります。</translation>
    </message>
    <message>
        <source>Connecting loads only the first page of tools, resources and prompts; load more from the list in the side bar. Takes effect at the next start.</source>
        <translation>接続時には、ツール、リソース、プロンプトの最初のページだけを読み込みます。続きはサイドバーの一覧から読み込めます。次回の起動時に有効になります。</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>一覧</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>編集…</translation>
    </message>
    <message>
        <source>Edit sign-in settings</source>
        <translation>サインインの設定を編集</translation>
    </message>
    <message>
        <source>Grant and client of the sign-in</source>
        <translation>サインインのグラントとクライアント</translation>
    </message>
    <message>
        <source>Edit network settings</source>
        <translation>ネットワーク設定を編集</translation>
    </message>
    <message>
        <source>Proxy, certificates and allowed hosts</source>
        <translation>プロキシ、証明書、許可するホスト</translation>
    </message>
    <message>
        <source>Enter the server&apos;s URL.</source>
        <translation>サーバーのURLを入力してください。</translation>
    </message>
    <message>
        <source>Enter the command that starts the server.</source>
        <translation>サーバーを起動するコマンドを入力してください。</translation>
    </message>
    <message>
        <source>Enter a name for the server.</source>
        <translation>サーバーの名前を入力してください。</translation>
    </message>
    <message>
        <source>That looks like a URL; switched to URL.</source>
        <translation>URLのようなので、URLに切り替えました。</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>タイムアウト</translation>
    </message>
    <message>
        <source>Edit timeouts</source>
        <translation>タイムアウトを編集</translation>
    </message>
    <message>
        <source>How long to wait for this server</source>
        <translation>このサーバーを待つ時間</translation>
    </message>
    <message>
        <source>as in the preferences</source>
        <translation>設定に従う</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerExportDialog</name>
    <message>
        <source>&amp;Include secret values</source>
        <translation>シークレットの値を含める(&amp;I)</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Export servers</source>
        <translation>サーバーをエクスポート</translation>
    </message>
    <message>
        <source>Servers to export</source>
        <translation>エクスポートするサーバー</translation>
    </message>
    <message>
        <source>mcpServers JSON</source>
        <translation>mcpServers JSON</translation>
    </message>
    <message>
        <source>Otherwise a placeholder such as &lt;API_KEY&gt; is written</source>
        <translation>オフの場合は、&lt;API_KEY&gt;のようなプレースホルダーが書き込まれます</translation>
    </message>
    <message>
        <source>Choose at least one server.</source>
        <translation>サーバーを1 個以上選択してください。</translation>
    </message>
    <message>
        <source>Waiting for the keychain</source>
        <translation>キーチェーンを待っています</translation>
    </message>
    <message>
        <source>%1 Values that could not be read are replaced by placeholders.</source>
        <translation>%1読み取れなかった値はプレースホルダーに置き換えられます。</translation>
    </message>
    <message>
        <source>The text contains secrets. Do not share it.</source>
        <translation>テキストにシークレットが含まれています。共有しないでください。</translation>
    </message>
    <message>
        <source>Secrets are replaced by placeholders.</source>
        <translation>シークレットはプレースホルダーに置き換えられています。</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>コピーしました。</translation>
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
        <translation>%1、%2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerListView</name>
    <message>
        <source>Servers</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>No matching servers. Esc clears the filter.</source>
        <translation>一致するサーバーはありません。Escでフィルターをクリアします。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起動</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerPanel</name>
    <message>
        <source>Diagnostics</source>
        <translation>診断</translation>
    </message>
    <message>
        <source>Detect again</source>
        <translation>再検出</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指示</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>ケイパビリティ</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Ping</source>
        <translation>Ping</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Refresh lists</source>
        <translation>一覧を更新</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>編集…</translation>
    </message>
    <message>
        <source>List tools, resources and prompts again</source>
        <translation>ツール、リソース、プロンプトの一覧をもう一度取得</translation>
    </message>
    <message>
        <source>Reconnects and detects the protocol revision and transport again</source>
        <translation>再接続し、プロトコルリビジョンとトランスポートをもう一度検出します</translation>
    </message>
    <message>
        <source>Load icons of this server</source>
        <translation>このサーバーのアイコンを読み込む</translation>
    </message>
    <message>
        <source>Client and server capabilities</source>
        <translation>クライアントとサーバーのケイパビリティ</translation>
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
        <translation>再起動 (%1)</translation>
    </message>
    <message>
        <source>Reconnect (%1)</source>
        <translation>再接続 (%1)</translation>
    </message>
    <message>
        <source>Start (%1)</source>
        <translation>起動 (%1)</translation>
    </message>
    <message>
        <source>Connect (%1)</source>
        <translation>接続 (%1)</translation>
    </message>
    <message>
        <source>capabilities</source>
        <translation>ケイパビリティ</translation>
    </message>
    <message>
        <source>%1 did not start</source>
        <translation>%1は起動しませんでした</translation>
    </message>
    <message>
        <source>%1 did not connect</source>
        <translation>%1は接続しませんでした</translation>
    </message>
    <message>
        <source> and 1 other host</source>
        <translation> ほか1 個のホスト</translation>
    </message>
    <message>
        <source> and %1 other hosts</source>
        <translation> ほか%1 個のホスト</translation>
    </message>
    <message>
        <source>Stop loading icons from %1</source>
        <translation>%1からのアイコンの読み込みを停止</translation>
    </message>
    <message>
        <source>Load icons of this server from %1</source>
        <translation>このサーバーのアイコンを%1から読み込む</translation>
    </message>
    <message>
        <source>Sonde sends nothing about you, but the host learns your IP address.</source>
        <translation>Sondeがあなたに関する情報を送信することはありませんが、ホストにはあなたのIPアドレスが伝わります。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>Resource templates</source>
        <translation>リソーステンプレート</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>%1 loaded, more on the server</source>
        <translation>%1 件読み込み済み、サーバーに続きあり</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Hide launch details</source>
        <translation>起動の詳細を隠す</translation>
    </message>
    <message>
        <source>Show launch details</source>
        <translation>起動の詳細を表示</translation>
    </message>
    <message>
        <source>Hide connection details</source>
        <translation>接続の詳細を隠す</translation>
    </message>
    <message>
        <source>Show connection details</source>
        <translation>接続の詳細を表示</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 個のツール</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 個のツール</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 個のリソース</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 個のリソース</translation>
    </message>
    <message>
        <source>1 resource template</source>
        <translation>1 個のリソーステンプレート</translation>
    </message>
    <message>
        <source>%1 resource templates</source>
        <translation>%1 個のリソーステンプレート</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 個のプロンプト</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 個のプロンプト</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>%1, version %2</source>
        <translation>%1、バージョン%2</translation>
    </message>
    <message>
        <source>About</source>
        <translation>概要</translation>
    </message>
    <message>
        <source>Website</source>
        <translation>Webサイト</translation>
    </message>
    <message>
        <source>Offers</source>
        <translation>提供内容</translation>
    </message>
    <message>
        <source>Protocol revision</source>
        <translation>プロトコルリビジョン</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>ハンドシェイク</translation>
    </message>
    <message>
        <source>Discovery</source>
        <translation>検出</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>一覧</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>検出事項</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>記録</translation>
    </message>
    <message>
        <source>in memory only</source>
        <translation>メモリ内のみ</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>作業ディレクトリ</translation>
    </message>
    <message>
        <source>PATH</source>
        <translation>PATH</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>プロセス</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerStatus</name>
    <message>
        <source>not started</source>
        <translation>未起動</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionHitsModel</name>
    <message>
        <source>Protocol error</source>
        <translation>プロトコルエラー</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>セッション</translation>
    </message>
    <message>
        <source>Call or record</source>
        <translation>呼び出しまたはレコード</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>成否</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>所要時間</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionPanel</name>
    <message>
        <source>Replay…</source>
        <translation>リプレイ…</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比較…</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>セッションを閉じる</translation>
    </message>
    <message>
        <source>Its tools, resources and prompts are in the side bar, its messages below.</source>
        <translation>ツール、リソース、プロンプトはサイドバーに、メッセージは下にあります。</translation>
    </message>
    <message>
        <source>Recorded session of %1</source>
        <translation>%1の記録済みセッション</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>検出事項</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>End</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>ended normally</source>
        <translation>正常終了</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>ファイルサイズ</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionSearchPage</name>
    <message>
        <source>Search</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Filter, such as: tool == search and outcome ~ error</source>
        <translation>フィルター。例: tool == search and outcome ~ error</translation>
    </message>
    <message>
        <source>Filter for all sessions</source>
        <translation>すべてのセッションのフィルター</translation>
    </message>
    <message>
        <source>Time of the rows</source>
        <translation>行の期間</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>全期間</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今日</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>過去7 日間</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>過去30 日間</translation>
    </message>
    <message>
        <source>Last 365 days</source>
        <translation>過去365 日間</translation>
    </message>
    <message>
        <source>Found rows</source>
        <translation>見つかった行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Search all recorded sessions</source>
        <translation>すべての記録済みセッションを検索</translation>
    </message>
    <message>
        <source>Type a timeline filter and press Enter. For the calls of one tool that failed: tool == search and outcome ~ error</source>
        <translation>タイムラインのフィルターを入力してEnterを押してください。あるツールの失敗した呼び出しの例: tool == search and outcome ~ error</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>検索しています…</translation>
    </message>
    <message>
        <source>No rows match</source>
        <translation>一致する行はありません</translation>
    </message>
    <message>
        <source>Change the filter, or choose a longer time.</source>
        <translation>フィルターを変更するか、期間を長くしてください。</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 (%2)</translation>
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
        <translation>%1/%2 件のセッション</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 件のセッション</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 件のセッション</translation>
    </message>
    <message>
        <source>There are more; only these are shown.</source>
        <translation>ほかにもありますが、ここまでを表示しています。</translation>
    </message>
    <message>
        <source>1 session could not be read.</source>
        <translation>1 件のセッションを読み取れませんでした。</translation>
    </message>
    <message>
        <source>%1 sessions could not be read.</source>
        <translation>%1 件のセッションを読み取れませんでした。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionsDialog</name>
    <message>
        <source>Pin</source>
        <translation>ピン留め</translation>
    </message>
    <message>
        <source>Notes can have %1 characters; the pasted text is longer and was not inserted.</source>
        <translation>メモは%1 文字までです。貼り付けたテキストはこれより長いため、挿入されませんでした。</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>リプレイ…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>エクスポート…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>削除…</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>記録済みセッション</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>セッション</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Search all sessions</source>
        <translation>すべてのセッションを検索</translation>
    </message>
    <message>
        <source>Filter by server, name or notes</source>
        <translation>サーバー、名前、メモで絞り込む</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>確認…</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>メモ</translation>
    </message>
    <message>
        <source>Notes about this session</source>
        <translation>このセッションのメモ</translation>
    </message>
    <message>
        <source>A pinned session is never proposed for deletion</source>
        <translation>ピン留めしたセッションは削除候補になりません</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Other file…</source>
        <translation>ほかのファイル…</translation>
    </message>
    <message>
        <source>Repeat the session&apos;s calls and compare the responses</source>
        <translation>セッションの呼び出しを繰り返してレスポンスを比較</translation>
    </message>
    <message>
        <source>Limits…</source>
        <translation>制限…</translation>
    </message>
    <message>
        <source>How large a session may become, and which ones to keep</source>
        <translation>セッションの最大サイズと、保持するセッション</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>名前を変更</translation>
    </message>
    <message>
        <source>1 session is beyond your limits</source>
        <translation>1 件のセッションが制限を超えています</translation>
    </message>
    <message>
        <source>%1 sessions are beyond your limits</source>
        <translation>%1 件のセッションが制限を超えています</translation>
    </message>
    <message>
        <source>%1 in all. Nothing is deleted until you confirm the list.</source>
        <translation>合計%1。一覧を確認して確定するまで、何も削除されません。</translation>
    </message>
    <message>
        <source>No recorded sessions</source>
        <translation>記録済みセッションはありません</translation>
    </message>
    <message>
        <source>Connect to a server; its session will appear here.</source>
        <translation>サーバーに接続すると、そのセッションがここに表示されます。</translation>
    </message>
    <message>
        <source>No sessions match “%1”</source>
        <translation>「%1」に一致するセッションはありません</translation>
    </message>
    <message>
        <source>Sessions are searched by server, name, notes and file name.</source>
        <translation>サーバー、名前、メモ、ファイル名でセッションを検索します。</translation>
    </message>
    <message>
        <source>★ Pinned</source>
        <translation>★ ピン留め</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>セッションを開く</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>セッション (*.mcpsession);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Delete sessions</source>
        <translation>セッションを削除</translation>
    </message>
    <message>
        <source>Delete this recorded session? This cannot be undone.</source>
        <translation>この記録済みセッションを削除しますか? この操作は元に戻せません。</translation>
    </message>
    <message>
        <source>Delete %1 recorded sessions? This cannot be undone.</source>
        <translation>%1 件の記録済みセッションを削除しますか? この操作は元に戻せません。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionsModel</name>
    <message>
        <source>Date</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>Name and notes</source>
        <translation>名前とメモ</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>検出事項</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>記録中</translation>
    </message>
    <message>
        <source>replay</source>
        <translation>リプレイ</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>破損</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>1 part is damaged and was skipped.</source>
        <translation>1 か所が破損しているため、読み飛ばされました。</translation>
    </message>
    <message>
        <source>%1 parts are damaged and were skipped.</source>
        <translation>%1 か所が破損しているため、読み飛ばされました。</translation>
    </message>
    <message>
        <source>The recording program did not end this session. What was recorded until then is complete.</source>
        <translation>記録していたプログラムはこのセッションを終了しませんでした。それまでに記録された内容は完全です。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ShortcutEditor</name>
    <message>
        <source>Reassign</source>
        <translation>再割り当て</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>メニュー</translation>
    </message>
    <message>
        <source>No command matches.</source>
        <translation>一致するコマンドはありません。</translation>
    </message>
    <message>
        <source>%1 alone is needed by text fields. Combine it with Ctrl or Alt.</source>
        <translation>%1単独はテキストフィールドで必要です。CtrlまたはAltと組み合わせてください。</translation>
    </message>
    <message>
        <source>%1 is not free: %2.</source>
        <translation>%1は使用できません: %2。</translation>
    </message>
    <message>
        <source>%1 is always “%2”.</source>
        <translation>%1は常に「%2」です。</translation>
    </message>
    <message>
        <source>%1 is already used by “%2”.</source>
        <translation>%1はすでに「%2」で使われています。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>クリア</translation>
    </message>
    <message>
        <source>Restore default</source>
        <translation>既定に戻す</translation>
    </message>
    <message>
        <source>Filter by command or shortcut</source>
        <translation>コマンドまたはショートカットで絞り込む</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>ショートカット</translation>
    </message>
    <message>
        <source>Shortcut of the command</source>
        <translation>コマンドのショートカット</translation>
    </message>
    <message>
        <source>Press the new shortcut</source>
        <translation>新しいショートカットを押してください</translation>
    </message>
    <message>
        <source>Remove the shortcut of this command</source>
        <translation>このコマンドのショートカットを削除します</translation>
    </message>
    <message>
        <source>Give this command its default shortcut</source>
        <translation>このコマンドのショートカットを既定に戻します</translation>
    </message>
    <message>
        <source>This shortcut belongs to the field or text that has the focus.</source>
        <translation>このショートカットは、フォーカスのあるフィールドまたはテキストで使われます。</translation>
    </message>
    <message>
        <source>“%1” loses this shortcut</source>
        <translation>「%1」からこのショートカットが外れます</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SideBar</name>
    <message>
        <source>SERVERS</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>Filter servers</source>
        <translation>サーバーを絞り込む</translation>
    </message>
    <message>
        <source>Filter servers…</source>
        <translation>サーバーを絞り込む…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SideBySide</name>
    <message>
        <source>JSON inside strings is formatted</source>
        <translation>文字列内のJSONは整形されています</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>後</translation>
    </message>
    <message>
        <source>Formatting…</source>
        <translation>整形しています…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SignInDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>この設定を使用</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>サインイン</translation>
    </message>
    <message>
        <source>Sign-in to %1</source>
        <translation>%1へのサインイン</translation>
    </message>
    <message>
        <source>Grant</source>
        <translation>グラント</translation>
    </message>
    <message>
        <source>Authorization code: you, in the browser</source>
        <translation>Authorization code: ブラウザーであなたがサインイン</translation>
    </message>
    <message>
        <source>Client credentials: Sonde itself</source>
        <translation>Client credentials: Sonde自身がサインイン</translation>
    </message>
    <message>
        <source>Enterprise-managed: you, through your organization</source>
        <translation>企業管理: 組織を通じてあなたがサインイン</translation>
    </message>
    <message>
        <source>Workload identity: this machine</source>
        <translation>ワークロードID: このマシン</translation>
    </message>
    <message>
        <source>&amp;Grant</source>
        <translation>グラント(&amp;G)</translation>
    </message>
    <message>
        <source>Client &amp;ID</source>
        <translation>クライアントID(&amp;I)</translation>
    </message>
    <message>
        <source>none: Sonde registers itself if the server allows it</source>
        <translation>なし: サーバーが許可する場合はSondeが自身を登録します</translation>
    </message>
    <message>
        <source>Client &amp;secret</source>
        <translation>クライアントシークレット(&amp;S)</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Iss&amp;uer</source>
        <translation>発行者(&amp;U)</translation>
    </message>
    <message>
        <source>URL; credentials are sent to no other server</source>
        <translation>URL。ほかのサーバーには認証情報を送信しません</translation>
    </message>
    <message>
        <source>&amp;Redirect URL</source>
        <translation>リダイレクトURL(&amp;R)</translation>
    </message>
    <message>
        <source>http://127.0.0.1 with any free port</source>
        <translation>http://127.0.0.1の空いているポート</translation>
    </message>
    <message>
        <source>Client &amp;metadata URL</source>
        <translation>クライアントメタデータのURL(&amp;M)</translation>
    </message>
    <message>
        <source>Private &amp;key (PEM)</source>
        <translation>秘密鍵 (PEM)(&amp;K)</translation>
    </message>
    <message>
        <source>none: the client secret is used</source>
        <translation>なし: クライアントシークレットを使用します</translation>
    </message>
    <message>
        <source>Key &amp;algorithm</source>
        <translation>鍵のアルゴリズム(&amp;A)</translation>
    </message>
    <message>
        <source>Provider&apos;s &amp;token URL</source>
        <translation>プロバイダーのトークンURL(&amp;T)</translation>
    </message>
    <message>
        <source>the token endpoint of the identity provider</source>
        <translation>IDプロバイダーのトークンエンドポイント</translation>
    </message>
    <message>
        <source>Provider&apos;s &amp;client ID</source>
        <translation>プロバイダーのクライアントID(&amp;C)</translation>
    </message>
    <message>
        <source>ID &amp;token</source>
        <translation>IDトークン(&amp;T)</translation>
    </message>
    <message>
        <source>issued by the identity provider</source>
        <translation>IDプロバイダーが発行</translation>
    </message>
    <message>
        <source>Workload &amp;token</source>
        <translation>ワークロードトークン(&amp;T)</translation>
    </message>
    <message>
        <source>issued to this machine by its platform</source>
        <translation>プラットフォームがこのマシンに発行</translation>
    </message>
    <message>
        <source>(in the keychain)</source>
        <translation>(キーチェーン内)</translation>
    </message>
    <message>
        <source>Used if the server requires a sign-in. Takes effect at the next start. Secrets are kept in the keychain.</source>
        <translation>サーバーがサインインを要求する場合に使用されます。次回の起動時に有効になります。シークレットはキーチェーンに保存されます。</translation>
    </message>
    <message>
        <source>in the browser, if required</source>
        <translation>必要な場合はブラウザーで</translation>
    </message>
    <message>
        <source>client credentials</source>
        <translation>client credentials</translation>
    </message>
    <message>
        <source>enterprise-managed</source>
        <translation>企業管理</translation>
    </message>
    <message>
        <source>workload identity</source>
        <translation>ワークロードID</translation>
    </message>
    <message>
        <source>client ID %1</source>
        <translation>クライアントID: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SignInView</name>
    <message>
        <source>%1 (refreshed with the next request)</source>
        <translation>%1 (次のリクエストで更新)</translation>
    </message>
    <message>
        <source>%1 (expired)</source>
        <translation>%1 (期限切れ)</translation>
    </message>
    <message>
        <source>%1 (in %2 s)</source>
        <translation>%1 (%2 秒後)</translation>
    </message>
    <message>
        <source>%1 (in %2 min)</source>
        <translation>%1 (%2 分後)</translation>
    </message>
    <message>
        <source>%1 (in %2 h)</source>
        <translation>%1 (%2 時間後)</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>サインイン</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>今すぐ更新</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>サインアウト</translation>
    </message>
    <message>
        <source>Cancel sign-in</source>
        <translation>サインインをキャンセル</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>ブラウザーで開く</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>続行</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>サインイン</translation>
    </message>
    <message>
        <source>Deletes the tokens here and in the keychain, and has the authorization server revoke them.</source>
        <translation>ここにあるトークンとキーチェーン内のトークンを削除し、認可サーバーに失効させます。</translation>
    </message>
    <message>
        <source>URL that the browser was redirected to</source>
        <translation>ブラウザーのリダイレクト先URL</translation>
    </message>
    <message>
        <source>Requests and responses of the step</source>
        <translation>ステップのリクエストとレスポンス</translation>
    </message>
    <message>
        <source>Claims of the access token</source>
        <translation>アクセストークンのクレーム</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>あなたの操作待ち</translation>
    </message>
    <message>
        <source>another Sonde is signing in</source>
        <translation>別のSondeがサインイン中</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>進行中</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>sign-in expired</source>
        <translation>サインインの期限切れ</translation>
    </message>
    <message>
        <source>signed in</source>
        <translation>サインイン済み</translation>
    </message>
    <message>
        <source>not signed in</source>
        <translation>未サインイン</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>もう一度サインイン</translation>
    </message>
    <message>
        <source>Scopes granted before are still valid.</source>
        <translation>以前に許可されたスコープは引き続き有効です。</translation>
    </message>
    <message>
        <source>Kept for this session only: %1 %2</source>
        <translation>このセッションの間だけ保持されます: %1 %2</translation>
    </message>
    <message>
        <source>The sign-in continues in your browser, at this address. Nothing has been opened yet. Sonde cannot see what you enter there.</source>
        <translation>サインインはブラウザーのこのアドレスで続きます。まだ何も開いていません。そこで入力する内容はSondeには見えません。</translation>
    </message>
    <message>
        <source>Open %1 in browser</source>
        <translation>%1をブラウザーで開く</translation>
    </message>
    <message>
        <source>This address was opened in your browser, where the sign-in continues. Sonde cannot see what you enter there.</source>
        <translation>このアドレスをブラウザーで開きました。サインインはそこで続きます。そこで入力する内容はSondeには見えません。</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL and open it yourself.</source>
        <translation>ブラウザーを起動できませんでした。URLをコピーして自分で開いてください。</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未到達</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>不要</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 件のリクエスト</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 件のリクエスト</translation>
    </message>
    <message>
        <source>DPoP, bound to a key on this computer</source>
        <translation>DPoP、このコンピューターの鍵に紐付け</translation>
    </message>
    <message>
        <source>Bearer</source>
        <translation>Bearer</translation>
    </message>
    <message>
        <source> · opaque, without readable claims</source>
        <translation> · 不透明 (読み取れるクレームなし)</translation>
    </message>
    <message>
        <source>Signed in at</source>
        <translation>サインイン先</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>スコープ</translation>
    </message>
    <message>
        <source>not specified</source>
        <translation>指定なし</translation>
    </message>
    <message>
        <source>Valid until</source>
        <translation>有効期限</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>Refresh token</source>
        <translation>リフレッシュトークン</translation>
    </message>
    <message>
        <source>none; sign in again when the token has expired</source>
        <translation>なし (トークンの期限が切れたらもう一度サインイン)</translation>
    </message>
    <message>
        <source>yes, used automatically</source>
        <translation>あり (自動的に使用)</translation>
    </message>
    <message>
        <source>claims</source>
        <translation>クレーム</translation>
    </message>
    <message>
        <source>On another computer? Paste the redirected URL</source>
        <translation>別のコンピューターですか？ リダイレクト先のURLを貼り付け</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StatisticsModel</name>
    <message>
        <source>Tool errors: %1, protocol errors: %2, no response: %3</source>
        <translation>ツールエラー: %1、プロトコルエラー: %2、レスポンスなし: %3</translation>
    </message>
    <message>
        <source>p%1 ms</source>
        <translation>p%1 ms</translation>
    </message>
    <message>
        <source>%1 of 100 calls with a response took no longer, in milliseconds, excluding time waiting for the user</source>
        <translation>レスポンスのあった呼び出し100 件中%1 件がこの時間以内です (ミリ秒、ユーザーを待つ時間を除く)</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>メソッド</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>対象</translation>
    </message>
    <message>
        <source>Tool, prompt or URI</source>
        <translation>ツール、プロンプト、またはURI</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Failed: ▲ tool error, ✕ protocol error, ⊘ no response</source>
        <translation>失敗: ▲ ツールエラー、✕ プロトコルエラー、⊘ レスポンスなし</translation>
    </message>
    <message>
        <source>First byte</source>
        <translation>最初のバイト</translation>
    </message>
    <message>
        <source>Median time to first byte, in milliseconds</source>
        <translation>最初のバイトまでの時間の中央値 (ミリ秒)</translation>
    </message>
    <message>
        <source>Waiting for user</source>
        <translation>ユーザー待ち</translation>
    </message>
    <message>
        <source>Total time waiting for the user</source>
        <translation>ユーザーを待った合計時間</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StatisticsWindow</name>
    <message>
        <source>Copy as text</source>
        <translation>テキストとしてコピー</translation>
    </message>
    <message>
        <source>Call statistics</source>
        <translation>呼び出しの統計</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 件の呼び出し</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 件の呼び出し</translation>
    </message>
    <message>
        <source> so far: %1 of %2 records read</source>
        <translation> (現時点): %2 件中%1 件のレコードを読み取り済み</translation>
    </message>
    <message>
        <source> · times in milliseconds, excluding time waiting for the user</source>
        <translation> · 時間はミリ秒、ユーザーを待つ時間を除く</translation>
    </message>
    <message>
        <source>No session</source>
        <translation>セッションなし</translation>
    </message>
    <message>
        <source>Connect to a server, or open a recorded session.</source>
        <translation>サーバーに接続するか、記録済みセッションを開いてください。</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>セッションを読み込んでいます…</translation>
    </message>
    <message>
        <source>No calls in this session</source>
        <translation>このセッションに呼び出しはありません</translation>
    </message>
    <message>
        <source>No requests were recorded.</source>
        <translation>リクエストは記録されていません。</translation>
    </message>
    <message>
        <source>No calls yet</source>
        <translation>呼び出しはまだありません</translation>
    </message>
    <message>
        <source>Call a tool; its duration will appear here.</source>
        <translation>ツールを呼び出すと、所要時間がここに表示されます。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StepRows</name>
    <message>
        <source>running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>not done</source>
        <translation>未完了</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>不要</translation>
    </message>
    <message>
        <source>%1, attempt %2</source>
        <translation>%1、試行%2 回目</translation>
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
        <translation>再接続中、確認応答を待っています</translation>
    </message>
    <message>
        <source>Waiting for the acknowledgement</source>
        <translation>確認応答を待っています</translation>
    </message>
    <message>
        <source>Active; the last change failed: %1</source>
        <translation>有効、直近の変更は失敗: %1</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>有効</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>拒否: %1</translation>
    </message>
    <message>
        <source>Ended by the server</source>
        <translation>サーバーが終了</translation>
    </message>
    <message>
        <source>Lost: %1 %2</source>
        <translation>消失: %1 %2</translation>
    </message>
    <message>
        <source>Tool list changes</source>
        <translation>ツール一覧の変更</translation>
    </message>
    <message>
        <source>Prompt list changes</source>
        <translation>プロンプト一覧の変更</translation>
    </message>
    <message>
        <source>Resource list changes</source>
        <translation>リソース一覧の変更</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>タスク: %1</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… ほか%1 件</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>要求</translation>
    </message>
    <message>
        <source>Acknowledged</source>
        <translation>確認応答済み</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Not acknowledged</source>
        <translation>確認応答なし</translation>
    </message>
    <message>
        <source>Subscribe again</source>
        <translation>もう一度購読</translation>
    </message>
    <message>
        <source>Subscriptions</source>
        <translation>購読</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SummaryText</name>
    <message>
        <source>1 tool error</source>
        <translation>1 件のツールエラー</translation>
    </message>
    <message>
        <source>%1 tool errors</source>
        <translation>%1 件のツールエラー</translation>
    </message>
    <message>
        <source>1 protocol error</source>
        <translation>1 件のプロトコルエラー</translation>
    </message>
    <message>
        <source>%1 protocol errors</source>
        <translation>%1 件のプロトコルエラー</translation>
    </message>
    <message>
        <source>1 call without a response</source>
        <translation>1 件のレスポンスのない呼び出し</translation>
    </message>
    <message>
        <source>%1 calls without a response</source>
        <translation>%1 件のレスポンスのない呼び出し</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TableEditor</name>
    <message>
        <source>Table of %1</source>
        <translation>%1の表</translation>
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
        <translation>1 行中%1 行</translation>
    </message>
    <message>
        <source>%2 of %1 rows</source>
        <translation>%1 行中%2 行</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1、行%2</translation>
    </message>
    <message>
        <source>Pasting…</source>
        <translation>貼り付けています…</translation>
    </message>
    <message>
        <source>Not pasted, no such column: %1</source>
        <translation>貼り付けませんでした。該当する列がありません: %1</translation>
    </message>
    <message>
        <source>Not pasted: cells to the right of the last column</source>
        <translation>貼り付けませんでした: 最後の列より右のセル</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>編集</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>Empty string</source>
        <translation>空文字列</translation>
    </message>
    <message>
        <source>Null</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>既定値: %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy with header</source>
        <translation>ヘッダー付きでコピー</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>貼り付け</translation>
    </message>
    <message>
        <source>Insert row above</source>
        <translation>上に行を挿入</translation>
    </message>
    <message>
        <source>Remove row</source>
        <translation>行を削除</translation>
    </message>
    <message>
        <source>Remove %1 rows</source>
        <translation>%1 行を削除</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TableModel</name>
    <message>
        <source>empty string</source>
        <translation>空文字列</translation>
    </message>
    <message>
        <source>Type or paste</source>
        <translation>入力または貼り付け</translation>
    </message>
    <message>
        <source>omitted</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必須</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskChoice</name>
    <message>
        <source>Run as task</source>
        <translation>タスクとして実行</translation>
    </message>
    <message>
        <source>Requested time to keep the task, in seconds</source>
        <translation>タスクの保持を要求する時間 (秒)</translation>
    </message>
    <message>
        <source>server decides</source>
        <translation>サーバーが決定</translation>
    </message>
    <message>
        <source>The requested ttl: how long the server should keep the task and its result after the start. The server may choose a different time.</source>
        <translation>要求するttl: 開始後、サーバーがタスクとその結果を保持する時間です。サーバーは別の時間を選ぶことがあります。</translation>
    </message>
    <message>
        <source>Keep for</source>
        <translation>保持期間</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>This tool runs only as a task.</source>
        <translation>このツールはタスクとしてのみ実行されます。</translation>
    </message>
    <message>
        <source>Runs in the background on the server; the result can be read later, even after a restart of Sonde.</source>
        <translation>サーバー上でバックグラウンドで実行されます。結果はSondeの再起動後でも、後から読み取れます。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskFacts</name>
    <message>
        <source>Not connected. Polling resumes when the server is connected.</source>
        <translation>接続されていません。サーバーに接続するとポーリングを再開します。</translation>
    </message>
    <message>
        <source>Next poll in %1 s.</source>
        <translation>次のポーリングまで%1 秒。</translation>
    </message>
    <message>
        <source>Waiting for your response.</source>
        <translation>あなたの応答を待っています。</translation>
    </message>
    <message>
        <source>Polling…</source>
        <translation>ポーリングしています…</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>消失</translation>
    </message>
    <message>
        <source>Lost: the server no longer knows this task.</source>
        <translation>消失: サーバーはもうこのタスクを認識していません。</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>タスク: %1</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>%1から</translation>
    </message>
    <message>
        <source>updated %1</source>
        <translation>%1に更新</translation>
    </message>
    <message>
        <source>kept until %1</source>
        <translation>%1まで保持</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskListModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1、%2、%3</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskListView</name>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TasksPanel</name>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>No tasks</source>
        <translation>タスクはありません</translation>
    </message>
    <message>
        <source>Calls that run as tasks appear here.</source>
        <translation>タスクとして実行された呼び出しがここに表示されます。</translation>
    </message>
    <message>
        <source>Some tasks could not be read: %1</source>
        <translation>一部のタスクを読み取れませんでした: %1</translation>
    </message>
    <message>
        <source>The server does not support tasks.</source>
        <translation>サーバーはタスクに対応していません。</translation>
    </message>
    <message>
        <source>Tasks started by Sonde. The server does not list tasks.</source>
        <translation>Sondeが開始したタスクです。サーバーはタスクの一覧を提供していません。</translation>
    </message>
    <message>
        <source>Click a task to see its result.</source>
        <translation>タスクをクリックすると結果が表示されます。</translation>
    </message>
    <message>
        <source>The task was cancelled. %1</source>
        <translation>タスクはキャンセルされました。%1</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>サーバーに接続されていません。</translation>
    </message>
    <message>
        <source>Select a task to see its result.</source>
        <translation>タスクを選択すると結果が表示されます。</translation>
    </message>
    <message>
        <source>No task selected</source>
        <translation>タスクが選択されていません</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextBlock</name>
    <message>
        <source>Reading %1…</source>
        <translation>%1を読み取っています…</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>テキストをコピー</translation>
    </message>
    <message>
        <source>Text view</source>
        <translation>テキストの表示</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Formatted as JSON</source>
        <translation>JSONとして整形</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>ツリー</translation>
    </message>
    <message>
        <source>As a tree</source>
        <translation>ツリーとして</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>As a table</source>
        <translation>表として</translation>
    </message>
    <message>
        <source>Raw text</source>
        <translation>生のテキスト</translation>
    </message>
    <message>
        <source>Exactly as sent by the server</source>
        <translation>サーバーが送信したまま</translation>
    </message>
    <message>
        <source>Render Markdown</source>
        <translation>Markdownをレンダリング</translation>
    </message>
    <message>
        <source>JSON as a tree</source>
        <translation>JSONをツリーで表示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextEditor</name>
    <message>
        <source>Loading…</source>
        <translation>読み込んでいます…</translation>
    </message>
    <message>
        <source>empty string</source>
        <translation>空文字列</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextLabel</name>
    <message>
        <source>Page</source>
        <translation>ページ</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextView</name>
    <message>
        <source>Copy all</source>
        <translation>すべてコピー</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>すべて選択</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>検索…</translation>
    </message>
    <message>
        <source>Wrap lines</source>
        <translation>行を折り返す</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimeEditor</name>
    <message>
        <source>Pick a time</source>
        <translation>時刻を選択</translation>
    </message>
    <message>
        <source>Pick a date and time</source>
        <translation>日時を選択</translation>
    </message>
    <message>
        <source>Pick a date</source>
        <translation>日付を選択</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Without an offset in the text, this computer&apos;s is added: %1</source>
        <translation>テキストにオフセットがない場合、このコンピューターのオフセットが追加されます: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimePicker</name>
    <message>
        <source>Pick a date</source>
        <translation>日付を選択</translation>
    </message>
    <message>
        <source>Pick a time</source>
        <translation>時刻を選択</translation>
    </message>
    <message>
        <source>Pick a date and time</source>
        <translation>日時を選択</translation>
    </message>
    <message>
        <source>The offset of this computer</source>
        <translation>このコンピューターのオフセット</translation>
    </message>
    <message>
        <source>The offset in the text</source>
        <translation>テキスト内のオフセット</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今日</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>現在</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
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
        <translation>バイト%1: %2</translation>
    </message>
    <message>
        <source> · after %1</source>
        <translation> · %1後</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>レスポンスは記録されていません。</translation>
    </message>
    <message>
        <source>response</source>
        <translation>レスポンス</translation>
    </message>
    <message>
        <source>error response</source>
        <translation>エラーレスポンス</translation>
    </message>
    <message>
        <source>no matching request</source>
        <translation>対応するリクエストなし</translation>
    </message>
    <message>
        <source>response to #%1</source>
        <translation>#%1へのレスポンス</translation>
    </message>
    <message>
        <source>error response to #%1</source>
        <translation>#%1へのエラーレスポンス</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>バッチ</translation>
    </message>
    <message>
        <source>invalid message</source>
        <translation>無効なメッセージ</translation>
    </message>
    <message>
        <source>late</source>
        <translation>遅延</translation>
    </message>
    <message>
        <source>stderr</source>
        <translation>stderr</translation>
    </message>
    <message>
        <source>not JSON-RPC</source>
        <translation>JSON-RPCではない</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>不完全</translation>
    </message>
    <message>
        <source>open</source>
        <translation>接続開始</translation>
    </message>
    <message>
        <source>request</source>
        <translation>リクエスト</translation>
    </message>
    <message>
        <source>SSE event</source>
        <translation>SSEイベント</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>end of session</source>
        <translation>セッションの終了</translation>
    </message>
    <message>
        <source>to the server</source>
        <translation>サーバーへ</translation>
    </message>
    <message>
        <source>from the server</source>
        <translation>サーバーから</translation>
    </message>
    <message>
        <source>local</source>
        <translation>ローカル</translation>
    </message>
    <message>
        <source>connection opened</source>
        <translation>接続を開始</translation>
    </message>
    <message>
        <source>notification</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>error</source>
        <translation>エラー</translation>
    </message>
    <message>
        <source>incomplete bytes</source>
        <translation>不完全なバイト列</translation>
    </message>
    <message>
        <source>stderr line</source>
        <translation>stderrの行</translation>
    </message>
    <message>
        <source>HTTP request</source>
        <translation>HTTPリクエスト</translation>
    </message>
    <message>
        <source>HTTP response</source>
        <translation>HTTPレスポンス</translation>
    </message>
    <message>
        <source>SSE event without a message</source>
        <translation>メッセージのないSSEイベント</translation>
    </message>
    <message>
        <source>user action</source>
        <translation>ユーザー操作</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>検出事項</translation>
    </message>
    <message>
        <source>note</source>
        <translation>メモ</translation>
    </message>
    <message>
        <source>redaction</source>
        <translation>マスク</translation>
    </message>
    <message>
        <source>end</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>since start</source>
        <translation>開始から</translation>
    </message>
    <message>
        <source>connection</source>
        <translation>接続</translation>
    </message>
    <message>
        <source>%1 B on the wire</source>
        <translation>通信上で%1 B</translation>
    </message>
    <message>
        <source>, then CR LF</source>
        <translation>、続いてCR LF</translation>
    </message>
    <message>
        <source>, then LF</source>
        <translation>、続いてLF</translation>
    </message>
    <message>
        <source>size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>received after the request was cancelled or timed out</source>
        <translation>リクエストのキャンセルまたはタイムアウト後に受信</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineCount</name>
    <message>
        <source>1 call</source>
        <translation>1 件の呼び出し</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 件の呼び出し</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>%1 of %2 calls shown</source>
        <translation>%2 件中%1 件の呼び出しを表示</translation>
    </message>
    <message>
        <source>%1 of %2 records shown</source>
        <translation>%2 件中%1 件のレコードを表示</translation>
    </message>
    <message>
        <source>Reading %1 %</source>
        <translation>読み取り中 %1 %</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 件のリクエスト</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 件のリクエスト</translation>
    </message>
    <message>
        <source>%1 of %2 requests shown</source>
        <translation>%2 件中%1 件のリクエストを表示</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineModel</name>
    <message>
        <source>No session</source>
        <translation>セッションなし</translation>
    </message>
    <message>
        <source>Connect to a server, or open a recorded session.</source>
        <translation>サーバーに接続するか、記録済みセッションを開いてください。</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>セッションを読み込んでいます…</translation>
    </message>
    <message>
        <source>%1 loaded.</source>
        <translation>%1を読み込み済み。</translation>
    </message>
    <message>
        <source>Empty session</source>
        <translation>空のセッション</translation>
    </message>
    <message>
        <source>It contains no records.</source>
        <translation>レコードが含まれていません。</translation>
    </message>
    <message>
        <source>No messages yet</source>
        <translation>メッセージはまだありません</translation>
    </message>
    <message>
        <source>Every message sent or received will appear here.</source>
        <translation>送受信されるすべてのメッセージがここに表示されます。</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>検索しています…</translation>
    </message>
    <message>
        <source>Nothing in this call matches</source>
        <translation>この呼び出しに一致するものはありません</translation>
    </message>
    <message>
        <source>Change the filter, or show all calls.</source>
        <translation>フィルターを変更するか、すべての呼び出しを表示してください。</translation>
    </message>
    <message>
        <source>No matching records</source>
        <translation>一致するレコードはありません</translation>
    </message>
    <message>
        <source>No matches in this view</source>
        <translation>この表示に一致するものはありません</translation>
    </message>
    <message>
        <source>Change the filter, or clear it.</source>
        <translation>フィルターを変更するか、クリアしてください。</translation>
    </message>
    <message>
        <source>Change the filter, or choose All.</source>
        <translation>フィルターを変更するか、「すべて」を選択してください。</translation>
    </message>
    <message>
        <source>Other records are listed under All.</source>
        <translation>ほかのレコードは「すべて」に一覧表示されます。</translation>
    </message>
    <message>
        <source>No stderr output</source>
        <translation>stderrの出力はありません</translation>
    </message>
    <message>
        <source>No messages</source>
        <translation>メッセージなし</translation>
    </message>
    <message>
        <source>No calls</source>
        <translation>呼び出しなし</translation>
    </message>
    <message>
        <source>Call a tool, read a resource or get a prompt. %1</source>
        <translation>ツールを呼び出すか、リソースを読み取るか、プロンプトを取得してください。%1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelinePanel</name>
    <message>
        <source>Timeline</source>
        <translation>タイムライン</translation>
    </message>
    <message>
        <source>Filter the timeline</source>
        <translation>タイムラインを絞り込む</translation>
    </message>
    <message>
        <source>Ctrl+Space completes fields, values and JSON pointers</source>
        <translation>Ctrl+Spaceでフィールド、値、JSONポインターを補完</translation>
    </message>
    <message>
        <source>Records to show</source>
        <translation>表示するレコード</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Calls: one row per call, its messages below it</source>
        <translation>呼び出し: 呼び出しごとに1行、その下にメッセージ</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>All messages</source>
        <translation>すべてのメッセージ</translation>
    </message>
    <message>
        <source>stderr</source>
        <translation>stderr</translation>
    </message>
    <message>
        <source>Standard error of the server</source>
        <translation>サーバーの標準エラー出力</translation>
    </message>
    <message>
        <source>All</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>All records</source>
        <translation>すべてのレコード</translation>
    </message>
    <message>
        <source>Follow new records</source>
        <translation>新しいレコードに追従</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>追従</translation>
    </message>
    <message>
        <source>Keep the newest row visible. Scrolling up stops following.</source>
        <translation>最新の行を表示し続けます。上にスクロールすると追従を停止します。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>エクスポート</translation>
    </message>
    <message>
        <source>Export to a file (%1)</source>
        <translation>ファイルにエクスポート (%1)</translation>
    </message>
    <message>
        <source>Timeline · %1</source>
        <translation>タイムライン · %1</translation>
    </message>
    <message>
        <source>Filter: words or ms &gt; 500</source>
        <translation>絞り込み: 語句 または ms &gt; 500</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineRows</name>
    <message>
        <source>open</source>
        <translation>未応答</translation>
    </message>
    <message>
        <source>? not tied to a call</source>
        <translation>? 呼び出しに未関連付け</translation>
    </message>
    <message>
        <source>, collapsed</source>
        <translation>、折りたたみ</translation>
    </message>
    <message>
        <source>, expanded</source>
        <translation>、展開</translation>
    </message>
    <message>
        <source>From start to end: pale until the first byte, violet while waiting for the user. Idle periods are shortened at the dotted lines.</source>
        <translation>開始から終了まで。最初のバイトまでは淡色、ユーザーを待つ間は紫です。アイドル期間は点線の位置で短縮されています。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>メソッド</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>成否</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Waterfall</source>
        <translation>ウォーターフォール</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineTable</name>
    <message>
        <source>Records</source>
        <translation>レコード</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimeoutsDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>この設定を使用</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>タイムアウト</translation>
    </message>
    <message>
        <source>Timeouts of %1</source>
        <translation>%1 のタイムアウト</translation>
    </message>
    <message>
        <source>Preferences: %1</source>
        <translation>設定: %1</translation>
    </message>
    <message>
        <source>seconds; 0 for no limit</source>
        <translation>秒、0 は無制限</translation>
    </message>
    <message>
        <source>seconds, at least %1</source>
        <translation>秒、%1 以上</translation>
    </message>
    <message>
        <source>%1: enter a number of seconds from %2 to %3.</source>
        <translation>%1: %2～%3 の秒数を入力してください。</translation>
    </message>
    <message>
        <source>Leave a field empty to use the preference. The connection timeout applies to the next start, the others to the next request.</source>
        <translation>フィールドを空にすると設定の値を使用します。接続タイムアウトは次回の起動から、その他は次のリクエストから適用されます。</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UnionEditor</name>
    <message>
        <source>Type of %1</source>
        <translation>%1の型</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UnsentBanner</name>
    <message>
        <source>Start</source>
        <translation>起動</translation>
    </message>
    <message>
        <source>Not sent: the server is not ready.</source>
        <translation>送信されませんでした: サーバーの準備ができていません。</translation>
    </message>
    <message>
        <source>Not sent: the server is not running.</source>
        <translation>送信されませんでした: サーバーが実行されていません。</translation>
    </message>
    <message>
        <source>Not sent: there is no connection to the server.</source>
        <translation>送信されませんでした: サーバーへの接続がありません。</translation>
    </message>
    <message>
        <source>The server is not running.</source>
        <translation>サーバーが実行されていません。</translation>
    </message>
    <message>
        <source>There is no connection to the server.</source>
        <translation>サーバーへの接続がありません。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>接続</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UrlBody</name>
    <message>
        <source>Nothing has been opened or fetched yet. The page opens in your browser; Sonde cannot see what you enter there.</source>
        <translation>まだ何も開いたり取得したりしていません。ページはブラウザーで開きます。そこで入力する内容はSondeには見えません。</translation>
    </message>
    <message>
        <source>The server is told only that you accepted.</source>
        <translation>サーバーに伝えられるのは、あなたが承諾したことだけです。</translation>
    </message>
    <message>
        <source>The call ended with an error that requires this page; Sonde sends nothing to the server until you try the call again.</source>
        <translation>呼び出しは、このページを必要とするエラーで終了しました。もう一度呼び出すまで、Sondeはサーバーに何も送信しません。</translation>
    </message>
    <message>
        <source>elicitation · URL</source>
        <translation>elicitation · URL</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>承諾</translation>
    </message>
    <message>
        <source>Accept and open</source>
        <translation>承諾して開く</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL, open it yourself, then accept.</source>
        <translation>ブラウザーを起動できませんでした。URLをコピーして自分で開き、それから承諾してください。</translation>
    </message>
    <message>
        <source>The page was opened in your browser; Sonde cannot see what you enter there.</source>
        <translation>ページをブラウザーで開きました。そこで入力する内容はSondeには見えません。</translation>
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
        <translation>保存済みの呼び出しへの参照として(&amp;R)</translation>
    </message>
    <message>
        <source>Use in</source>
        <translation>使用先</translation>
    </message>
    <message>
        <source>&amp;Tool</source>
        <translation>ツール(&amp;T)</translation>
    </message>
    <message>
        <source>Filter by name or type</source>
        <translation>名前または型で絞り込む</translation>
    </message>
    <message>
        <source>&amp;Field</source>
        <translation>フィールド(&amp;F)</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>フィールド</translation>
    </message>
    <message>
        <source>This tool takes no arguments.</source>
        <translation>このツールは引数を取りません。</translation>
    </message>
    <message>
        <source>No field matches.</source>
        <translation>一致するフィールドはありません。</translation>
    </message>
    <message>
        <source>%1
replaces %2</source>
        <translation>%1
%2を置き換えます</translation>
    </message>
</context>
<context>
    <name>sonde::ui::VersionDifference</name>
    <message>
        <source>Binary data; SHA-256 of its Base64 text: %1</source>
        <translation>バイナリデータ。Base64テキストのSHA-256: %1</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>比較対象</translation>
    </message>
    <message>
        <source>Difference between two versions</source>
        <translation>2つのバージョンの差異</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>比較しています…</translation>
    </message>
    <message>
        <source>No differences.</source>
        <translation>差異はありません。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>1 line added</source>
        <translation>1 行追加</translation>
    </message>
    <message>
        <source>%1 lines added</source>
        <translation>%1 行追加</translation>
    </message>
    <message>
        <source>1 removed</source>
        <translation>1 行削除</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>%1 行削除</translation>
    </message>
</context>
<context>
    <name>sonde::ui::WalkView</name>
    <message>
        <source>Open add</source>
        <translation>addを開く</translation>
    </message>
    <message>
        <source>Open fail</source>
        <translation>failを開く</translation>
    </message>
    <message>
        <source>Open ask-form</source>
        <translation>ask-formを開く</translation>
    </message>
    <message>
        <source>Go to timeline</source>
        <translation>タイムラインへ移動</translation>
    </message>
    <message>
        <source>Go to filter</source>
        <translation>フィルターへ移動</translation>
    </message>
    <message>
        <source>Open greeting</source>
        <translation>greetingを開く</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>リプレイ…</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>最初からやり直す</translation>
    </message>
    <message>
        <source>all %1 steps done</source>
        <translation>全%1 ステップ完了</translation>
    </message>
    <message>
        <source>%1 of %2 steps done</source>
        <translation>%1/%2 ステップ完了</translation>
    </message>
    <message>
        <source>Guided tour</source>
        <translation>ガイドツアー</translation>
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
        <translation>今日 %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>昨日 %1</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>接続</translation>
    </message>
    <message>
        <source>Explore an MCP server</source>
        <translation>MCPサーバーを探索</translation>
    </message>
    <message>
        <source>Paste the command you would run in a terminal, or the URL of a remote server.</source>
        <translation>ターミナルで実行するコマンド、またはリモートサーバーのURLを貼り付けてください。</translation>
    </message>
    <message>
        <source>Command or URL</source>
        <translation>コマンドまたはURL</translation>
    </message>
    <message>
        <source>Your servers</source>
        <translation>あなたのサーバー</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>このコンピューターで検出</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>インポート…</translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation>最近のセッション</translation>
    </message>
    <message>
        <source>All sessions…</source>
        <translation>すべてのセッション…</translation>
    </message>
    <message>
        <source>Three things to try</source>
        <translation>試してみたい3つのこと</translation>
    </message>
    <message>
        <source>With the built-in demo server, which changes nothing.</source>
        <translation>内蔵のデモサーバーを使います。何も変更されません。</translation>
    </message>
    <message>
        <source>Eight steps, from the first call to a replay</source>
        <translation>最初の呼び出しからリプレイまでの8 ステップ</translation>
    </message>
    <message>
        <source>Call a tool</source>
        <translation>ツールを呼び出す</translation>
    </message>
    <message>
        <source>Opens the first tool of the demo server</source>
        <translation>デモサーバーの最初のツールを開きます</translation>
    </message>
    <message>
        <source>Respond to a server request</source>
        <translation>サーバーからのリクエストに応答する</translation>
    </message>
    <message>
        <source>Opens a tool that asks you for something in the middle of its call</source>
        <translation>呼び出しの途中で入力を求めるツールを開きます</translation>
    </message>
    <message>
        <source>replayed %1 · %2</source>
        <translation>リプレイ: %1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>All traffic between Sonde and a server is recorded here, from the first byte.</source>
        <translation>Sondeとサーバーの間のすべての通信が、最初の1 バイトからここに記録されます。</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>読み取れません</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 個のサーバー</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 個のサーバー</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>ほか%1 件</translation>
    </message>
    <message>
        <source>No servers from other MCP clients found. Import them from a file or the clipboard.</source>
        <translation>ほかのMCPクライアントのサーバーは見つかりませんでした。ファイルまたはクリップボードからインポートしてください。</translation>
    </message>
    <message>
        <source>Take the guided tour</source>
        <translation>ガイドツアーを始める</translation>
    </message>
</context>
</TS>
