<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>sonde::AbstractHttpTransport</name>
    <message>
        <source>Cancelled while waiting for the handshake.</source>
        <translation>Beim Warten auf den Handshake abgebrochen.</translation>
    </message>
    <message>
        <source>Cancelled while waiting for credentials.</source>
        <translation>Beim Warten auf Anmeldedaten abgebrochen.</translation>
    </message>
    <message>
        <source>The connection was closed before the message could be sent.</source>
        <translation>Die Verbindung wurde geschlossen, bevor die Nachricht gesendet werden konnte.</translation>
    </message>
    <message>
        <source>The connection was closed while waiting for credentials.</source>
        <translation>Die Verbindung wurde beim Warten auf Anmeldedaten geschlossen.</translation>
    </message>
</context>
<context>
    <name>sonde::AddressExamination</name>
    <message>
        <source>certificate of %1, issued by %2, valid from %3 to %4</source>
        <translation>Zertifikat von %1, ausgestellt von %2, gültig von %3 bis %4</translation>
    </message>
    <message>
        <source>not used: http</source>
        <translation>nicht verwendet: http</translation>
    </message>
    <message>
        <source>asking the system for its proxy…</source>
        <translation>System wird nach seinem Proxy gefragt&#xa0;…</translation>
    </message>
    <message>
        <source>resolved by the proxy %1</source>
        <translation>vom Proxy %1 aufgelöst</translation>
    </message>
    <message>
        <source>an address, not a name</source>
        <translation>eine Adresse, kein Name</translation>
    </message>
    <message>
        <source>looking up %1…</source>
        <translation>%1 wird aufgelöst&#xa0;…</translation>
    </message>
    <message>
        <source>%1 is not known: %2</source>
        <translation>%1 ist nicht bekannt: %2</translation>
    </message>
    <message>
        <source>connecting to port %1…</source>
        <translation>Verbindung zu Port %1&#xa0;…</translation>
    </message>
    <message>
        <source>connecting through the proxy %1…</source>
        <translation>Verbindung über den Proxy %1&#xa0;…</translation>
    </message>
    <message>
        <source>port %1 accepts connections</source>
        <translation>Port %1 nimmt Verbindungen an</translation>
    </message>
    <message>
        <source>the proxy %1 accepts connections</source>
        <translation>der Proxy %1 nimmt Verbindungen an</translation>
    </message>
    <message>
        <source>connected through the proxy %1</source>
        <translation>über den Proxy %1 verbunden</translation>
    </message>
    <message>
        <source>waiting for the certificate…</source>
        <translation>Warten auf das Zertifikat&#xa0;…</translation>
    </message>
    <message>
        <source>%1, accepted by its fingerprint</source>
        <translation>%1, anhand seines Fingerabdrucks akzeptiert</translation>
    </message>
    <message>
        <source>timed out after %1 s</source>
        <translation>Zeitlimit nach %1 s überschritten</translation>
    </message>
    <message>
        <source>the server does not speak TLS on this port</source>
        <translation>der Server spricht auf diesem Port kein TLS</translation>
    </message>
    <message>
        <source>the server does not complete a TLS handshake: %1</source>
        <translation>der Server schließt einen TLS-Handshake nicht ab: %1</translation>
    </message>
    <message>
        <source>If it is meant to be reached without encryption, begin the URL with http://.</source>
        <translation>Falls er ohne Verschlüsselung erreicht werden soll, die URL mit http:// beginnen.</translation>
    </message>
    <message>
        <source>the server expects TLS on this port</source>
        <translation>der Server erwartet auf diesem Port TLS</translation>
    </message>
    <message>
        <source>Begin the URL with https://.</source>
        <translation>Die URL mit https:// beginnen.</translation>
    </message>
    <message>
        <source>the server refuses the Authorization header of this server</source>
        <translation>der Server lehnt den Authorization-Header dieses Servers ab</translation>
    </message>
    <message>
        <source>the server refuses access</source>
        <translation>der Server verweigert den Zugriff</translation>
    </message>
    <message>
        <source>the server requires authentication</source>
        <translation>der Server verlangt Authentifizierung</translation>
    </message>
    <message>
        <source>It may require authentication, or accept requests only under certain host names.</source>
        <translation>Eventuell verlangt er Authentifizierung oder nimmt Anfragen nur unter bestimmten Hostnamen an.</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>akzeptiert</translation>
    </message>
    <message>
        <source>not required</source>
        <translation>nicht verlangt</translation>
    </message>
    <message>
        <source>the response is a web page, not an MCP message</source>
        <translation>die Antwort ist eine Webseite, keine MCP-Nachricht</translation>
    </message>
    <message>
        <source>Check the path of the URL; many servers use /mcp.</source>
        <translation>Den Pfad der URL prüfen; viele Server verwenden /mcp.</translation>
    </message>
</context>
<context>
    <name>sonde::Authorization</name>
    <message>
        <source>The protected resource metadata is not a JSON object.</source>
        <translation>Die Protected-Resource-Metadaten sind kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>The protected resource metadata at %1 is for %2, not for %3.</source>
        <translation>Die Protected-Resource-Metadaten unter %1 gelten für %2, nicht für %3.</translation>
    </message>
    <message>
        <source>The protected resource metadata names no authorization server.</source>
        <translation>Die Protected-Resource-Metadaten nennen keinen Autorisierungsserver.</translation>
    </message>
    <message>
        <source>The authorization server metadata is not a JSON object.</source>
        <translation>Die Metadaten des Autorisierungsservers sind kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>The authorization server identifies itself as %1, not as %2.</source>
        <translation>Der Autorisierungsserver gibt sich als %1 aus, nicht als %2.</translation>
    </message>
    <message>
        <source>The authorization server&apos;s %1 is neither https nor on this computer: %2</source>
        <translation>%1 des Autorisierungsservers ist weder https noch auf diesem Computer: %2</translation>
    </message>
    <message>
        <source>The authorization server has no token endpoint.</source>
        <translation>Der Autorisierungsserver hat keinen Token-Endpunkt.</translation>
    </message>
    <message>
        <source>Check that the server is running.</source>
        <translation>Prüfen, ob der Server läuft.</translation>
    </message>
    <message>
        <source>Check that the identity provider is running.</source>
        <translation>Prüfen, ob der Identitätsanbieter läuft.</translation>
    </message>
    <message>
        <source>Check that the authorization server is running.</source>
        <translation>Prüfen, ob der Autorisierungsserver läuft.</translation>
    </message>
    <message>
        <source>Its operator has to serve the document at the first address itself.</source>
        <translation>Der Betreiber muss das Dokument unter der ersten Adresse selbst ausliefern.</translation>
    </message>
    <message>
        <source>Its operator has to publish the right address in the metadata.</source>
        <translation>Der Betreiber muss die richtige Adresse in den Metadaten veröffentlichen.</translation>
    </message>
    <message>
        <source>The server&apos;s metadata endpoint (%1)</source>
        <translation>Der Metadaten-Endpunkt des Servers (%1)</translation>
    </message>
    <message>
        <source>The authorization server&apos;s metadata endpoint (%1)</source>
        <translation>Der Metadaten-Endpunkt des Autorisierungsservers (%1)</translation>
    </message>
    <message>
        <source>The authorization server&apos;s registration endpoint (%1)</source>
        <translation>Der Registrierungs-Endpunkt des Autorisierungsservers (%1)</translation>
    </message>
    <message>
        <source>The authorization server&apos;s token endpoint (%1)</source>
        <translation>Der Token-Endpunkt des Autorisierungsservers (%1)</translation>
    </message>
    <message>
        <source>The identity provider&apos;s token endpoint (%1)</source>
        <translation>Der Token-Endpunkt des Identitätsanbieters (%1)</translation>
    </message>
    <message>
        <source>The authorization server&apos;s revocation endpoint (%1)</source>
        <translation>Der Widerrufs-Endpunkt des Autorisierungsservers (%1)</translation>
    </message>
    <message>
        <source>%1 redirects (HTTP %2) to %3, which Sonde does not follow in a sign-in.</source>
        <translation>%1 leitet um (HTTP %2) nach %3; Sonde folgt dem bei einer Anmeldung nicht.</translation>
    </message>
    <message>
        <source>%1 did not respond within %2 s.</source>
        <translation>%1 hat nicht innerhalb von %2 s geantwortet.</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>Später erneut versuchen.</translation>
    </message>
    <message>
        <source>%1 refused the connection: nothing is listening there.</source>
        <translation>%1 hat die Verbindung abgelehnt: Dort lauscht nichts.</translation>
    </message>
    <message>
        <source>%1 could not be used. %2</source>
        <translation>%1 konnte nicht verwendet werden. %2</translation>
    </message>
    <message>
        <source>%1 refused the request: %2</source>
        <translation>%1 hat die Anfrage abgelehnt: %2</translation>
    </message>
    <message>
        <source>%1 returned HTTP %2.</source>
        <translation>%1 lieferte HTTP %2.</translation>
    </message>
    <message>
        <source>%1 returned no %2.</source>
        <translation>%1 lieferte kein %2.</translation>
    </message>
    <message>
        <source>%1 returned a body that is not a JSON object.</source>
        <translation>%1 lieferte einen Body, der kein JSON-Objekt ist.</translation>
    </message>
    <message>
        <source>%1 returned %2 instead of JSON.</source>
        <translation>%1 lieferte %2 statt JSON.</translation>
    </message>
    <message>
        <source>This is a web page: possibly a login page, or the wrong address.</source>
        <translation>Das ist eine Webseite: möglicherweise eine Anmeldeseite oder die falsche Adresse.</translation>
    </message>
    <message>
        <source>OAuth requires JSON there (RFC 6749, section 5.1).</source>
        <translation>OAuth verlangt dort JSON (RFC 6749, Abschnitt 5.1).</translation>
    </message>
    <message>
        <source>The redirect URL must be an http URL of this computer with a port, such as http://127.0.0.1:8080/callback.</source>
        <translation>Die Redirect-URL muss eine http-URL dieses Computers mit einem Port sein, etwa http://127.0.0.1:8080/callback.</translation>
    </message>
    <message>
        <source>The client metadata URL must be https and have a path.</source>
        <translation>Die Client-Metadaten-URL muss https sein und einen Pfad haben.</translation>
    </message>
    <message>
        <source>The issuer must be an https URL.</source>
        <translation>Der Aussteller muss eine https-URL sein.</translation>
    </message>
    <message>
        <source>Enter the client ID that the client secret belongs to.</source>
        <translation>Die Client-ID eingeben, zu der das Client-Geheimnis gehört.</translation>
    </message>
    <message>
        <source>Enter the client ID.</source>
        <translation>Die Client-ID eingeben.</translation>
    </message>
    <message>
        <source>Enter a client secret or a private key.</source>
        <translation>Ein Client-Geheimnis oder einen privaten Schlüssel eingeben.</translation>
    </message>
    <message>
        <source>Enter the issuer. The credentials are sent nowhere else.</source>
        <translation>Den Aussteller eingeben. Die Anmeldedaten werden nirgendwo sonst hingesendet.</translation>
    </message>
    <message>
        <source>Enter the token URL of the identity provider, which must be https.</source>
        <translation>Die Token-URL des Identitätsanbieters eingeben; sie muss https sein.</translation>
    </message>
    <message>
        <source>Enter the ID token.</source>
        <translation>Das ID-Token eingeben.</translation>
    </message>
    <message>
        <source>Enter the token of the workload.</source>
        <translation>Das Token der Workload eingeben.</translation>
    </message>
    <message>
        <source>Enter the issuer. The token is sent nowhere else.</source>
        <translation>Den Aussteller eingeben. Das Token wird nirgendwo sonst hingesendet.</translation>
    </message>
    <message>
        <source>The private key is not PEM.</source>
        <translation>Der private Schlüssel ist kein PEM.</translation>
    </message>
    <message>
        <source>It must begin with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----, without a passphrase.</source>
        <translation>Er muss mit -----BEGIN PRIVATE KEY----- beginnen und mit -----END PRIVATE KEY----- enden, ohne Passphrase.</translation>
    </message>
    <message>
        <source>Enter the private key that belongs to it.</source>
        <translation>Den dazugehörigen privaten Schlüssel eingeben.</translation>
    </message>
    <message>
        <source>This is a public key.</source>
        <translation>Das ist ein öffentlicher Schlüssel.</translation>
    </message>
    <message>
        <source>This is a certificate.</source>
        <translation>Das ist ein Zertifikat.</translation>
    </message>
    <message>
        <source>The private key has a passphrase.</source>
        <translation>Der private Schlüssel hat eine Passphrase.</translation>
    </message>
    <message>
        <source>Enter it without one, as “openssl pkey -in KEY” prints it.</source>
        <translation>Ohne Passphrase eingeben, wie „openssl pkey -in KEY“ ihn ausgibt.</translation>
    </message>
    <message>
        <source>The private key cannot be read.</source>
        <translation>Der private Schlüssel kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>It must be PEM, without a passphrase.</source>
        <translation>Er muss PEM sein, ohne Passphrase.</translation>
    </message>
    <message>
        <source>No key could be generated.</source>
        <translation>Es konnte kein Schlüssel erzeugt werden.</translation>
    </message>
    <message>
        <source>The private key cannot be used with %1.</source>
        <translation>Der private Schlüssel kann nicht mit %1 verwendet werden.</translation>
    </message>
    <message>
        <source>ES256 needs an EC key on P-256, RS256 an RSA key.</source>
        <translation>ES256 braucht einen EC-Schlüssel auf P-256, RS256 einen RSA-Schlüssel.</translation>
    </message>
    <message>
        <source>The token could not be signed.</source>
        <translation>Das Token konnte nicht signiert werden.</translation>
    </message>
</context>
<context>
    <name>sonde::AuthorizedRequest</name>
    <message>
        <source>There were no credentials in time.</source>
        <translation>Anmeldedaten kamen nicht rechtzeitig.</translation>
    </message>
</context>
<context>
    <name>sonde::Baseline</name>
    <message>
        <source>%1 is still being recorded.</source>
        <translation>%1 wird noch aufgezeichnet.</translation>
    </message>
    <message>
        <source>Disconnect that server first.</source>
        <translation>Zuerst diesen Server trennen.</translation>
    </message>
    <message>
        <source>The previous session cannot be renamed to %1: %2</source>
        <translation>Die bisherige Sitzung kann nicht in %1 umbenannt werden: %2</translation>
    </message>
    <message>
        <source>%1 cannot be replaced: %2</source>
        <translation>%1 kann nicht ersetzt werden: %2</translation>
    </message>
</context>
<context>
    <name>sonde::BriefRun</name>
    <message>
        <source>“%1” took longer than %2 s.</source>
        <translation>„%1“ hat länger als %2 s gedauert.</translation>
    </message>
    <message>
        <source>“%1” was terminated by %2.</source>
        <translation>„%1“ wurde durch %2 beendet.</translation>
    </message>
</context>
<context>
    <name>sonde::CallSender</name>
    <message>
        <source>There is no keychain to read %1 from.</source>
        <translation>Es gibt keinen Schlüsselbund, aus dem %1 gelesen werden kann.</translation>
    </message>
    <message>
        <source>The environment variable %1 is not set.</source>
        <translation>Die Umgebungsvariable %1 ist nicht gesetzt.</translation>
    </message>
    <message>
        <source>%1 needs the result of the saved call &apos;%2&apos;, which was not run before this one.</source>
        <translation>%1 braucht das Ergebnis des gespeicherten Aufrufs &apos;%2&apos;, der nicht vorher ausgeführt wurde.</translation>
    </message>
    <message>
        <source>Run both together, &apos;%1&apos; first.</source>
        <translation>Beide zusammen ausführen, &apos;%1&apos; zuerst.</translation>
    </message>
    <message>
        <source>%1 has no value: the saved call &apos;%2&apos; returned no result.</source>
        <translation>%1 hat keinen Wert: Der gespeicherte Aufruf &apos;%2&apos; lieferte kein Ergebnis.</translation>
    </message>
    <message>
        <source>%1 has no value: the result of the saved call &apos;%2&apos; has no %3.</source>
        <translation>%1 hat keinen Wert: Das Ergebnis des gespeicherten Aufrufs &apos;%2&apos; hat kein %3.</translation>
    </message>
    <message>
        <source>The members of the result are %1.</source>
        <translation>Die Elemente des Ergebnisses sind %1.</translation>
    </message>
</context>
<context>
    <name>sonde::CallSuite</name>
    <message>
        <source>Cancelled by you</source>
        <translation>Von Ihnen abgebrochen</translation>
    </message>
    <message>
        <source>Not run: %1</source>
        <translation>Nicht ausgeführt: %1</translation>
    </message>
</context>
<context>
    <name>sonde::CallbackReceiver</name>
    <message>
        <source>The redirect address %1 is not on this computer.</source>
        <translation>Die Redirect-Adresse %1 liegt nicht auf diesem Computer.</translation>
    </message>
    <message>
        <source>Use http://127.0.0.1 or http://localhost with a port.</source>
        <translation>http://127.0.0.1 oder http://localhost mit einem Port verwenden.</translation>
    </message>
    <message>
        <source>Port %1 of this computer cannot receive the browser&apos;s redirect: %2.</source>
        <translation>Port %1 dieses Computers kann die Umleitung des Browsers nicht empfangen: %2.</translation>
    </message>
    <message>
        <source>Choose another port, or quit the program that uses it.</source>
        <translation>Einen anderen Port wählen oder das Programm beenden, das ihn verwendet.</translation>
    </message>
    <message>
        <source>The request is too long.</source>
        <translation>Die Anfrage ist zu lang.</translation>
    </message>
    <message>
        <source>The sign-in has ended.</source>
        <translation>Die Anmeldung ist beendet.</translation>
    </message>
    <message>
        <source>Nothing here.</source>
        <translation>Hier ist nichts.</translation>
    </message>
    <message>
        <source>This response belongs to another sign-in.</source>
        <translation>Diese Antwort gehört zu einer anderen Anmeldung.</translation>
    </message>
    <message>
        <source>Sonde has received the response. You can close this page.</source>
        <translation>Sonde hat die Antwort erhalten. Sie können diese Seite schließen.</translation>
    </message>
</context>
<context>
    <name>sonde::Catalog</name>
    <message>
        <source>The %1 &apos;%2&apos; occurs more than once.</source>
        <translation>Mehrfach vorhanden: %1 &apos;%2&apos;.</translation>
    </message>
    <message>
        <source>More duplicate names, not listed: %1</source>
        <translation>Weitere doppelte Namen, nicht aufgelistet: %1</translation>
    </message>
    <message>
        <source>Not enough memory for this list.</source>
        <translation>Nicht genug Arbeitsspeicher für diese Liste.</translation>
    </message>
    <message>
        <source>The server declares &apos;%1&apos; but does not implement %2 (-32601).</source>
        <translation>Der Server deklariert &apos;%1&apos;, implementiert %2 aber nicht (-32601).</translation>
    </message>
    <message>
        <source>The list ended early (pages loaded: %1).</source>
        <translation>Die Liste endete vorzeitig (geladene Seiten: %1).</translation>
    </message>
    <message>
        <source>Retrying in %1 s.</source>
        <translation>Neuer Versuch in %1 s.</translation>
    </message>
</context>
<context>
    <name>sonde::ChangeWords</name>
    <message>
        <source>only after: %1</source>
        <translation>nur nachher: %1</translation>
    </message>
    <message>
        <source>%1 added: %2</source>
        <translation>%1 hinzugefügt: %2</translation>
    </message>
    <message>
        <source>only before: %1</source>
        <translation>nur vorher: %1</translation>
    </message>
    <message>
        <source>%1 removed, was %2</source>
        <translation>%1 entfernt, war %2</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 geändert</translation>
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
        <translation>%1, gleicher Wert</translation>
    </message>
    <message>
        <source>order changed</source>
        <translation>Reihenfolge geändert</translation>
    </message>
    <message>
        <source>parameter %1 added</source>
        <translation>Parameter %1 hinzugefügt</translation>
    </message>
    <message>
        <source>field %1 added</source>
        <translation>Feld %1 hinzugefügt</translation>
    </message>
    <message>
        <source>parameter %1 removed</source>
        <translation>Parameter %1 entfernt</translation>
    </message>
    <message>
        <source>field %1 removed</source>
        <translation>Feld %1 entfernt</translation>
    </message>
    <message>
        <source>no longer required: %1</source>
        <translation>nicht mehr erforderlich: %1</translation>
    </message>
    <message>
        <source>now required: %1</source>
        <translation>jetzt erforderlich: %1</translation>
    </message>
    <message>
        <source>values removed: %1</source>
        <translation>Werte entfernt: %1</translation>
    </message>
    <message>
        <source>values added: %1</source>
        <translation>Werte hinzugefügt: %1</translation>
    </message>
    <message>
        <source>all capabilities</source>
        <translation>alle Fähigkeiten</translation>
    </message>
    <message>
        <source>Protocol revision</source>
        <translation>Protokollrevision</translation>
    </message>
    <message>
        <source>Server name and version</source>
        <translation>Name und Version des Servers</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Variable %1</source>
        <translation>Variable %1</translation>
    </message>
    <message>
        <source>Header %1</source>
        <translation>Header %1</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>Transport</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>Umgebungsvariablen</translation>
    </message>
    <message>
        <source>Inherited variables</source>
        <translation>Geerbte Variablen</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Header</translation>
    </message>
    <message>
        <source>Client name and version</source>
        <translation>Name und Version des Clients</translation>
    </message>
    <message>
        <source>Client capabilities</source>
        <translation>Client-Fähigkeiten</translation>
    </message>
    <message>
        <source>Requested revision</source>
        <translation>Angeforderte Revision</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>result: %1</source>
        <translation>Ergebnis: %1</translation>
    </message>
    <message>
        <source>argument “%1” added</source>
        <translation>Argument „%1“ hinzugefügt</translation>
    </message>
    <message>
        <source>argument “%1” removed</source>
        <translation>Argument „%1“ entfernt</translation>
    </message>
    <message>
        <source>different secret value</source>
        <translation>anderer geheimer Wert</translation>
    </message>
    <message>
        <source>argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>abweichend</translation>
    </message>
    <message>
        <source>wording only</source>
        <translation>nur Wortlaut</translation>
    </message>
    <message>
        <source>harmless</source>
        <translation>harmlos</translation>
    </message>
    <message>
        <source>unclear</source>
        <translation>unklar</translation>
    </message>
    <message>
        <source>breaking</source>
        <translation>inkompatibel</translation>
    </message>
</context>
<context>
    <name>sonde::Client</name>
    <message>
        <source>Batches are not allowed in revision %1; shown but not processed.</source>
        <translation>Batches sind in Revision %1 nicht erlaubt; angezeigt, aber nicht verarbeitet.</translation>
    </message>
    <message>
        <source>Empty batch.</source>
        <translation>Leerer Batch.</translation>
    </message>
    <message>
        <source>Max %1 responses to one batch; this request has none.</source>
        <translation>Max. %1 Antworten auf einen Batch; diese Anfrage hat keine.</translation>
    </message>
    <message>
        <source>An item of a batch is not a JSON-RPC message: %1</source>
        <translation>Ein Element eines Batches ist keine JSON-RPC-Nachricht: %1</translation>
    </message>
    <message>
        <source>it is a batch itself.</source>
        <translation>es ist selbst ein Batch.</translation>
    </message>
    <message>
        <source>The parameters of a request must be a JSON object.</source>
        <translation>Die Parameter einer Anfrage müssen ein JSON-Objekt sein.</translation>
    </message>
    <message>
        <source>Sent as is. Another request with this ID is open; the response will be matched to that one.</source>
        <translation>Unverändert gesendet. Eine andere Anfrage mit dieser ID ist offen; die Antwort wird ihr zugeordnet.</translation>
    </message>
    <message>
        <source>Sent as is. No response is expected: it is not a request with an ID.</source>
        <translation>Unverändert gesendet. Es wird keine Antwort erwartet: Es ist keine Anfrage mit einer ID.</translation>
    </message>
    <message>
        <source>The server responded to it without waiting for you.</source>
        <translation>Der Server hat darauf geantwortet, ohne auf Sie zu warten.</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>It timed out.</source>
        <translation>Zeitüberschreitung.</translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation>Fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>Nicht mit dem Server verbunden.</translation>
    </message>
    <message>
        <source>%1 (Findings of this kind so far: %2; further ones are mostly only counted.)</source>
        <translation>%1 (Bisherige Befunde dieser Art: %2; weitere werden meist nur gezählt.)</translation>
    </message>
    <message>
        <source>Not a JSON-RPC message: %1</source>
        <translation>Keine JSON-RPC-Nachricht: %1</translation>
    </message>
    <message>
        <source>The server could not read a request: its error response has no ID.</source>
        <translation>Der Server konnte eine Anfrage nicht lesen: Seine Fehlerantwort hat keine ID.</translation>
    </message>
    <message>
        <source>Unmatched response: the ID %1 is neither an integer nor a string.</source>
        <translation>Nicht zugeordnete Antwort: Die ID %1 ist weder eine Ganzzahl noch eine Zeichenkette.</translation>
    </message>
    <message>
        <source>Duplicate response to request %1 (%2); the first one counts.</source>
        <translation>Doppelte Antwort auf Anfrage %1 (%2); die erste zählt.</translation>
    </message>
    <message>
        <source>The server asked for input more than %1 times in one call.</source>
        <translation>Der Server hat in einem Aufruf mehr als %1-mal um Eingabe gebeten.</translation>
    </message>
    <message>
        <source>Not enough memory to check the result against the tool&apos;s outputSchema.</source>
        <translation>Nicht genug Arbeitsspeicher, um das Ergebnis gegen das outputSchema des Tools zu prüfen.</translation>
    </message>
    <message>
        <source>The server echoed request %1 from Sonde; no response was sent.</source>
        <translation>Der Server hat Anfrage %1 von Sonde zurückgespiegelt; es wurde keine Antwort gesendet.</translation>
    </message>
    <message>
        <source>The server echoed request %1 instead of responding to it.</source>
        <translation>Der Server hat Anfrage %1 zurückgespiegelt, statt darauf zu antworten.</translation>
    </message>
    <message>
        <source>The program echoes its input, as cat or a terminal does. It is not an MCP server, or was not started as one.</source>
        <translation>Das Programm spiegelt seine Eingabe zurück, wie cat oder ein Terminal. Es ist kein MCP-Server oder wurde nicht als solcher gestartet.</translation>
    </message>
    <message>
        <source>Progress with an unknown token: %1</source>
        <translation>Fortschritt mit unbekanntem Token: %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>&apos;progress&apos; is not a number.</source>
        <translation>&apos;progress&apos; ist keine Zahl.</translation>
    </message>
    <message>
        <source>The progress does not increase: %1 after %2.</source>
        <translation>Der Fortschritt steigt nicht: %1 nach %2.</translation>
    </message>
    <message>
        <source>The progress is beyond its total: %1 of %2.</source>
        <translation>Der Fortschritt übersteigt seinen Gesamtwert: %1 von %2.</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>Die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>The cancellation could not be sent to the server: %1</source>
        <translation>Der Abbruch konnte nicht an den Server gesendet werden: %1</translation>
    </message>
    <message>
        <source>Timed out after %1 s (max time per request).</source>
        <translation>Zeitlimit nach %1 s überschritten (Höchstzeit pro Anfrage).</translation>
    </message>
    <message>
        <source>Timed out: no response or progress for %1 s.</source>
        <translation>Zeitüberschreitung: %1 s lang keine Antwort und kein Fortschritt.</translation>
    </message>
    <message>
        <source>The server started a task, although the client did not declare tasks.</source>
        <translation>Der Server hat einen Task gestartet, obwohl der Client keine Tasks deklariert hat.</translation>
    </message>
    <message>
        <source>The server refused tasks/result while the task requires input: %1</source>
        <translation>Der Server hat tasks/result abgelehnt, während der Task Eingabe verlangt: %1</translation>
    </message>
    <message>
        <source>The server turned a call into a task without being asked to.</source>
        <translation>Der Server hat einen Aufruf ungefragt in einen Task umgewandelt.</translation>
    </message>
    <message>
        <source>The server described the task %1 instead of the task %2.</source>
        <translation>Der Server hat den Task %1 statt des Tasks %2 beschrieben.</translation>
    </message>
    <message>
        <source>The server does not support tasks.</source>
        <translation>Der Server unterstützt keine Tasks.</translation>
    </message>
    <message>
        <source>The status of the task was %1, which is final; now it is %2.</source>
        <translation>Der Status des Tasks war %1 und damit endgültig; jetzt ist er %2.</translation>
    </message>
    <message>
        <source>The server does not support tasks any more.</source>
        <translation>Der Server unterstützt keine Tasks mehr.</translation>
    </message>
    <message>
        <source>The server does not declare tasks/cancel; it goes on with the task.</source>
        <translation>Der Server deklariert tasks/cancel nicht; er führt den Task weiter.</translation>
    </message>
    <message>
        <source>The server did not cancel the task: %1</source>
        <translation>Der Server hat den Task nicht abgebrochen: %1</translation>
    </message>
    <message>
        <source>The server did not accept the response to %1: %2</source>
        <translation>Der Server hat die Antwort auf %1 nicht akzeptiert: %2</translation>
    </message>
    <message>
        <source>No common protocol revision: the server supports %1, Sonde supports %2.</source>
        <translation>Keine gemeinsame Protokollrevision: Der Server unterstützt %1, Sonde unterstützt %2.</translation>
    </message>
    <message>
        <source>The server refuses revision %1, although it lists it as supported.</source>
        <translation>Der Server lehnt Revision %1 ab, obwohl er sie als unterstützt aufführt.</translation>
    </message>
    <message>
        <source>The server refused the revision and named no other.</source>
        <translation>Der Server hat die Revision abgelehnt und keine andere genannt.</translation>
    </message>
    <message>
        <source>The server supports only %1.</source>
        <translation>Der Server unterstützt nur %1.</translation>
    </message>
    <message>
        <source>The response to server/discover lists no revisions.</source>
        <translation>Die Antwort auf server/discover führt keine Revisionen auf.</translation>
    </message>
    <message>
        <source>The server lists %1 in its response to server/discover.</source>
        <translation>Der Server führt %1 in seiner Antwort auf server/discover auf.</translation>
    </message>
    <message>
        <source>The server responded to server/discover with an error without a code.</source>
        <translation>Der Server antwortete auf server/discover mit einem Fehler ohne Code.</translation>
    </message>
    <message>
        <source>The server responded to server/discover with error %1.</source>
        <translation>Der Server antwortete auf server/discover mit Fehler %1.</translation>
    </message>
    <message>
        <source>The server did not respond to server/discover.</source>
        <translation>Der Server hat auf server/discover nicht geantwortet.</translation>
    </message>
    <message>
        <source>The response to server/discover could not be used: %1</source>
        <translation>Die Antwort auf server/discover konnte nicht verwendet werden: %1</translation>
    </message>
    <message>
        <source>The server exited on server/discover.</source>
        <translation>Der Server hat sich bei server/discover beendet.</translation>
    </message>
    <message>
        <source>The server responded to server/discover with HTTP %1.</source>
        <translation>Der Server antwortete auf server/discover mit HTTP %1.</translation>
    </message>
    <message>
        <source>The call that asked for it has ended.</source>
        <translation>Der Aufruf, der danach fragte, ist beendet.</translation>
    </message>
    <message>
        <source>The server asked for input (%1), which it did not get: %2</source>
        <translation>Der Server bat um Eingabe (%1), die er nicht erhielt: %2</translation>
    </message>
    <message>
        <source>structuredContent could not be checked: %1%2</source>
        <translation>structuredContent konnte nicht geprüft werden: %1%2</translation>
    </message>
    <message>
        <source>structuredContent does not match outputSchema: %1%2</source>
        <translation>structuredContent entspricht nicht outputSchema: %1%2</translation>
    </message>
    <message>
        <source>it is missing, but the tool declares an outputSchema</source>
        <translation>es fehlt, aber das Tool deklariert ein outputSchema</translation>
    </message>
    <message>
        <source>structuredContent does not match outputSchema in more places: %1</source>
        <translation>structuredContent entspricht an weiteren Stellen nicht outputSchema: %1</translation>
    </message>
    <message>
        <source>Unmatched response: its ID is the string %1, but the request&apos;s was the number %2. The type of an ID must not change.</source>
        <translation>Nicht zugeordnete Antwort: Ihre ID ist die Zeichenkette %1, die der Anfrage war aber die Zahl %2. Der Typ einer ID darf sich nicht ändern.</translation>
    </message>
    <message>
        <source>Unmatched response: its id is the number %1, but the request&apos;s was the string %2. An id must come back with its own type.</source>
        <translation>Nicht zugeordnete Antwort: Ihre id ist die Zahl %1, die der Anfrage war aber die Zeichenkette %2. Eine id muss mit ihrem eigenen Typ zurückkommen.</translation>
    </message>
    <message>
        <source>Unmatched response: no request with the ID %1 was sent.</source>
        <translation>Nicht zugeordnete Antwort: Es wurde keine Anfrage mit der ID %1 gesendet.</translation>
    </message>
    <message>
        <source>Response to a cancelled request: %1 (%2), cancelled %3 s earlier.</source>
        <translation>Antwort auf eine abgebrochene Anfrage: %1 (%2), vor %3 s abgebrochen.</translation>
    </message>
    <message>
        <source>Late response to request %1 (%2), which timed out %3 s earlier.</source>
        <translation>Verspätete Antwort auf Anfrage %1 (%2), deren Zeitlimit vor %3 s überschritten wurde.</translation>
    </message>
    <message>
        <source>Late response to request %1 (%2), which failed %3 s earlier.</source>
        <translation>Verspätete Antwort auf Anfrage %1 (%2), die vor %3 s fehlgeschlagen ist.</translation>
    </message>
    <message>
        <source>The server asked for %1 inputs at once; the limit is %2.</source>
        <translation>Der Server hat um %1 Eingaben auf einmal gebeten; die Grenze ist %2.</translation>
    </message>
    <message>
        <source>The server asked for input without naming a method.</source>
        <translation>Der Server hat um Eingabe gebeten, ohne eine Methode zu nennen.</translation>
    </message>
    <message>
        <source>The server asked for input with %1, which the client did not declare.</source>
        <translation>Der Server hat mit %1 um Eingabe gebeten; der Client hat das nicht deklariert.</translation>
    </message>
    <message>
        <source>The server asked for &apos;%1&apos; with an invalid %2: %3</source>
        <translation>Der Server hat um &apos;%1&apos; mit ungültigem %2 gebeten: %3</translation>
    </message>
    <message>
        <source>No response sent: the request&apos;s ID is neither an integer nor a string.</source>
        <translation>Keine Antwort gesendet: Die ID der Anfrage ist weder eine Ganzzahl noch eine Zeichenkette.</translation>
    </message>
    <message>
        <source>Servers cannot send requests in revision %1; no response was sent.</source>
        <translation>Server können in Revision %1 keine Anfragen senden; es wurde keine Antwort gesendet.</translation>
    </message>
    <message>
        <source>No response sent: the connection is closing.</source>
        <translation>Keine Antwort gesendet: Die Verbindung wird geschlossen.</translation>
    </message>
    <message>
        <source>The response to a server request could not be sent: %1</source>
        <translation>Die Antwort auf eine Server-Anfrage konnte nicht gesendet werden: %1</translation>
    </message>
    <message>
        <source>A server request with the ID %1 is already open; no response was sent to this one.</source>
        <translation>Eine Server-Anfrage mit der ID %1 ist bereits offen; auf diese wurde keine Antwort gesendet.</translation>
    </message>
    <message>
        <source>Max %1 open server requests; this one is refused.</source>
        <translation>Max. %1 offene Server-Anfragen; diese wird abgelehnt.</translation>
    </message>
    <message>
        <source>The responses to a batch could not be sent: %1</source>
        <translation>Die Antworten auf einen Batch konnten nicht gesendet werden: %1</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>nicht vorhanden</translation>
    </message>
    <message>
        <source>The poll interval must be a number of milliseconds above 0; it is %1. Sonde asks every second.</source>
        <translation>Das Abfrageintervall muss eine Anzahl von Millisekunden über 0 sein; es ist %1. Sonde fragt jede Sekunde.</translation>
    </message>
    <message>
        <source>The poll interval is %1 ms; Sonde asks every 10 minutes.</source>
        <translation>Das Abfrageintervall ist %1 ms; Sonde fragt alle 10 Minuten.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of the task must be an ISO 8601 time; it is %2.</source>
        <translation>&apos;%1&apos; des Tasks muss eine ISO-8601-Zeit sein; es ist %2.</translation>
    </message>
    <message>
        <source>The task has no &apos;taskId&apos;.</source>
        <translation>Der Task hat keine &apos;taskId&apos;.</translation>
    </message>
    <message>
        <source>Unknown task status: %1.</source>
        <translation>Unbekannter Task-Status: %1.</translation>
    </message>
    <message>
        <source>The ttl of the task must be a number of milliseconds or null; it is %1.</source>
        <translation>Die ttl des Tasks muss eine Anzahl von Millisekunden oder null sein; sie ist %1.</translation>
    </message>
    <message>
        <source>working</source>
        <translation>in Arbeit</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>Eingabe nötig</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>abgeschlossen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>The server does not support server/discover.</source>
        <translation>Der Server unterstützt server/discover nicht.</translation>
    </message>
</context>
<context>
    <name>sonde::CommandLine</name>
    <message>
        <source>Unclosed quote %1 at position %2.</source>
        <translation>Nicht geschlossenes Anführungszeichen %1 an Position %2.</translation>
    </message>
    <message>
        <source>No shell is used: %1 is passed as is. Use sh -c &apos;…&apos; if you need a shell.</source>
        <translation>Es wird keine Shell verwendet: %1 wird unverändert übergeben. Falls eine Shell nötig ist, sh -c &apos;…&apos; verwenden.</translation>
    </message>
    <message>
        <source>No shell is used, so the folder &apos;%1&apos; cannot be resolved.</source>
        <translation>Es wird keine Shell verwendet, daher kann der Ordner &apos;%1&apos; nicht aufgelöst werden.</translation>
    </message>
    <message>
        <source>Enter the full path, or use sh -c &apos;…&apos;.</source>
        <translation>Den vollständigen Pfad eingeben oder sh -c &apos;…&apos; verwenden.</translation>
    </message>
    <message>
        <source>The text contains several commands, one on each line.</source>
        <translation>Der Text enthält mehrere Befehle, einen pro Zeile.</translation>
    </message>
    <message>
        <source>Enter one command at a time.</source>
        <translation>Jeweils nur einen Befehl eingeben.</translation>
    </message>
    <message>
        <source>&apos;cd&apos; only changes the folder; no server would be started.</source>
        <translation>&apos;cd&apos; wechselt nur den Ordner; es würde kein Server gestartet.</translation>
    </message>
    <message>
        <source>Use cd FOLDER &amp;&amp; COMMAND.</source>
        <translation>cd FOLDER &amp;&amp; COMMAND verwenden.</translation>
    </message>
</context>
<context>
    <name>sonde::Comparison</name>
    <message>
        <source>Environment variables were not recorded on one side; not compared.</source>
        <translation>Umgebungsvariablen wurden auf einer Seite nicht aufgezeichnet; nicht verglichen.</translation>
    </message>
    <message>
        <source>%1: redacted in the session; cannot be compared.</source>
        <translation>%1: in der Sitzung geschwärzt; nicht vergleichbar.</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Tools</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>Resource templates</source>
        <translation>Ressourcenvorlagen</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>%1: not listed completely on either side; not compared.</source>
        <translation>%1: auf keiner Seite vollständig aufgelistet; nicht verglichen.</translation>
    </message>
    <message>
        <source>%1: not listed completely on one side; not compared.</source>
        <translation>%1: auf einer Seite nicht vollständig aufgelistet; nicht verglichen.</translation>
    </message>
    <message>
        <source>%1 lists &apos;%2&apos; more than once; only the first one is compared.</source>
        <translation>%1 listet &apos;%2&apos; mehrfach; nur das erste wird verglichen.</translation>
    </message>
</context>
<context>
    <name>sonde::Connection</name>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Restarting…</source>
        <translation>Wird neu gestartet&#xa0;…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird gestoppt&#xa0;…</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>Session lost (HTTP %1). Starting a new one.</source>
        <translation>Sitzung verloren (HTTP %1). Eine neue wird gestartet.</translation>
    </message>
    <message>
        <source>HTTP+SSE: the server rejected Streamable HTTP (HTTP %1)</source>
        <translation>HTTP+SSE: Der Server hat Streamable HTTP abgelehnt (HTTP %1)</translation>
    </message>
    <message>
        <source>Streamable HTTP: HTTP+SSE failed (%1)</source>
        <translation>Streamable HTTP: HTTP+SSE ist fehlgeschlagen (%1)</translation>
    </message>
    <message>
        <source>Cancelled by you</source>
        <translation>Von Ihnen abgebrochen</translation>
    </message>
    <message>
        <source>Waiting for your approval…</source>
        <translation>Warten auf Ihre Freigabe&#xa0;…</translation>
    </message>
    <message>
        <source>Waiting for you to sign in…</source>
        <translation>Warten auf Ihre Anmeldung&#xa0;…</translation>
    </message>
    <message>
        <source>Waiting for credentials…</source>
        <translation>Warten auf Anmeldedaten&#xa0;…</translation>
    </message>
    <message>
        <source>Waiting for server/discover…</source>
        <translation>Warten auf server/discover&#xa0;…</translation>
    </message>
    <message>
        <source>Session lost. Starting a new one…</source>
        <translation>Sitzung verloren. Eine neue wird gestartet&#xa0;…</translation>
    </message>
    <message>
        <source>Waiting for the handshake…</source>
        <translation>Warten auf den Handshake&#xa0;…</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Wird verbunden&#xa0;…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Wird gestartet&#xa0;…</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>Verbindung verloren</translation>
    </message>
    <message>
        <source>Session lost: the server no longer knew the new session either (HTTP %1).</source>
        <translation>Sitzung verloren: Der Server kannte auch die neue Sitzung nicht mehr (HTTP %1).</translation>
    </message>
    <message>
        <source>A new session was started once, and lost before anything worked. To try again, reconnect.</source>
        <translation>Eine neue Sitzung wurde einmal gestartet und ging verloren, bevor etwas funktionierte. Für einen neuen Versuch neu verbinden.</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>Die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>connection refused</source>
        <translation>Verbindung abgelehnt</translation>
    </message>
    <message>
        <source>host not found</source>
        <translation>Host nicht gefunden</translation>
    </message>
    <message>
        <source>TLS: certificate not trusted</source>
        <translation>TLS: Zertifikat nicht vertrauenswürdig</translation>
    </message>
    <message>
        <source>HTTP %1</source>
        <translation>HTTP %1</translation>
    </message>
    <message>
        <source>session lost</source>
        <translation>Sitzung verloren</translation>
    </message>
    <message>
        <source>credentials required</source>
        <translation>Anmeldedaten nötig</translation>
    </message>
    <message>
        <source>scope missing</source>
        <translation>Scope fehlt</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2) during startup.</source>
        <translation>Der Server wurde beim Start durch Signal %1 (%2) beendet.</translation>
    </message>
    <message>
        <source>The server exited with code %1 during startup.</source>
        <translation>Der Server endete beim Start mit Code %1.</translation>
    </message>
    <message>
        <source>Last lines of stderr:</source>
        <translation>Letzte Zeilen von stderr:</translation>
    </message>
    <message>
        <source>terminated by %1</source>
        <translation>durch %1 beendet</translation>
    </message>
    <message>
        <source>exited with code %1</source>
        <translation>mit Code %1 beendet</translation>
    </message>
    <message>
        <source>%1 during startup</source>
        <translation>%1 beim Start</translation>
    </message>
    <message>
        <source>not authorized</source>
        <translation>nicht autorisiert</translation>
    </message>
    <message>
        <source>HTTP %1 · not authorized</source>
        <translation>HTTP %1 · nicht autorisiert</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>Zeitüberschreitung</translation>
    </message>
    <message>
        <source>handshake failed</source>
        <translation>Handshake fehlgeschlagen</translation>
    </message>
    <message>
        <source>handshake failed: error %1</source>
        <translation>Handshake fehlgeschlagen: Fehler %1</translation>
    </message>
    <message>
        <source>%1 cannot be removed, only replaced; every HTTP request needs it. Its default value is sent.</source>
        <translation>%1 kann nicht entfernt, nur ersetzt werden; jede HTTP-Anfrage braucht ihn. Der Standardwert wird gesendet.</translation>
    </message>
    <message>
        <source>The value of %1 is redacted in the session and has no default. Enter a value, or the header is not sent.</source>
        <translation>Der Wert von %1 ist in der Sitzung geschwärzt und hat keinen Standard. Einen Wert eingeben, sonst wird der Header nicht gesendet.</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Resolve secrets</source>
        <translation>Geheimnisse auflösen</translation>
    </message>
    <message>
        <source>Find the server</source>
        <translation>Server finden</translation>
    </message>
    <message>
        <source>Choose the transport</source>
        <translation>Transport wählen</translation>
    </message>
    <message>
        <source>Open the connection</source>
        <translation>Verbindung öffnen</translation>
    </message>
    <message>
        <source>Authorize</source>
        <translation>Autorisieren</translation>
    </message>
    <message>
        <source>Detect the protocol</source>
        <translation>Protokoll erkennen</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>Handshake</translation>
    </message>
    <message>
        <source>List tools, resources and prompts</source>
        <translation>Tools, Ressourcen und Prompts auflisten</translation>
    </message>
    <message>
        <source>The server sent a message that violates JSON-RPC: %1</source>
        <translation>Der Server hat eine Nachricht gesendet, die JSON-RPC verletzt: %1</translation>
    </message>
    <message>
        <source>The server sent %1 messages that violate JSON-RPC. The first: %2</source>
        <translation>Der Server hat %1 Nachrichten gesendet, die JSON-RPC verletzen. Die erste: %2</translation>
    </message>
    <message>
        <source>The server wrote a line to standard output that is not a JSON-RPC message: %1</source>
        <translation>Der Server hat eine Zeile auf die Standardausgabe geschrieben, die keine JSON-RPC-Nachricht ist: %1</translation>
    </message>
    <message>
        <source>The server wrote %1 lines to standard output that are not JSON-RPC messages. The first: %2</source>
        <translation>Der Server hat %1 Zeilen auf die Standardausgabe geschrieben, die keine JSON-RPC-Nachrichten sind. Die erste: %2</translation>
    </message>
    <message>
        <source>The server violates JSON-RPC: %1</source>
        <translation>Der Server verletzt JSON-RPC: %1</translation>
    </message>
    <message>
        <source>The server frames its messages with Content-Length headers, as the Language Server Protocol does. MCP servers write one message per line.</source>
        <translation>Der Server rahmt seine Nachrichten mit Content-Length-Headern, wie das Language Server Protocol. MCP-Server schreiben eine Nachricht pro Zeile.</translation>
    </message>
    <message>
        <source>The server spreads its messages over several lines (indented JSON). MCP servers write each message on one line, without line breaks in it.</source>
        <translation>Der Server verteilt seine Nachrichten auf mehrere Zeilen (eingerücktes JSON). MCP-Server schreiben jede Nachricht in eine Zeile, ohne Zeilenumbrüche darin.</translation>
    </message>
    <message>
        <source>Standard output must carry nothing but JSON-RPC messages, one per line. Logs belong on standard error.</source>
        <translation>Die Standardausgabe darf nur JSON-RPC-Nachrichten enthalten, eine pro Zeile. Logs gehören auf den Standardfehler.</translation>
    </message>
    <message>
        <source>Standard output, violating JSON-RPC:</source>
        <translation>Standardausgabe, verletzt JSON-RPC:</translation>
    </message>
    <message>
        <source>Standard output, not JSON-RPC:</source>
        <translation>Standardausgabe, kein JSON-RPC:</translation>
    </message>
    <message>
        <source>… and more: %1 lines in all</source>
        <translation>… und mehr: insgesamt %1 Zeilen</translation>
    </message>
</context>
<context>
    <name>sonde::Connector</name>
    <message>
        <source>The server supports revisions %1; Sonde supports %2.</source>
        <translation>Der Server unterstützt die Revisionen %1; Sonde unterstützt %2.</translation>
    </message>
    <message>
        <source>%1 has no initialize: set the protocol revision of this server to Automatic.</source>
        <translation>%1 hat kein initialize: Die Protokollrevision dieses Servers auf Automatisch stellen.</translation>
    </message>
    <message>
        <source>The server speaks revision 2026-07-28 or later, which has no initialize. Set the protocol revision of this server to Automatic.</source>
        <translation>Der Server spricht Revision 2026-07-28 oder neuer, die kein initialize hat. Die Protokollrevision dieses Servers auf Automatisch stellen.</translation>
    </message>
    <message>
        <source>The server does not know initialize. It may speak only revision 2026-07-28 or later: set the protocol revision of this server to Automatic.</source>
        <translation>Der Server kennt initialize nicht. Eventuell spricht er nur Revision 2026-07-28 oder neuer: Die Protokollrevision dieses Servers auf Automatisch stellen.</translation>
    </message>
    <message>
        <source>Connecting timed out after %1 s.</source>
        <translation>Zeitlimit beim Verbinden nach %1 s überschritten.</translation>
    </message>
    <message>
        <source>No transport.</source>
        <translation>Kein Transport.</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>Die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>The &apos;protocolVersion&apos; in the response to initialize is not a string.</source>
        <translation>Die &apos;protocolVersion&apos; in der Antwort auf initialize ist keine Zeichenkette.</translation>
    </message>
    <message>
        <source>The response to initialize has no &apos;protocolVersion&apos;.</source>
        <translation>Die Antwort auf initialize hat keine &apos;protocolVersion&apos;.</translation>
    </message>
    <message>
        <source>The server responded to initialize with revision %1, which has no initialize. With initialize, Sonde supports %2.</source>
        <translation>Der Server antwortete auf initialize mit Revision %1, die kein initialize hat. Mit initialize unterstützt Sonde %2.</translation>
    </message>
    <message>
        <source>Its response to server/discover did not offer that revision.</source>
        <translation>Seine Antwort auf server/discover bot diese Revision nicht an.</translation>
    </message>
    <message>
        <source>Set the protocol revision of this server to Automatic.</source>
        <translation>Die Protokollrevision dieses Servers auf Automatisch stellen.</translation>
    </message>
    <message>
        <source>No common protocol revision: the server offered &apos;%1&apos;, Sonde supports %2.</source>
        <translation>Keine gemeinsame Protokollrevision: Der Server bot &apos;%1&apos; an, Sonde unterstützt %2.</translation>
    </message>
    <message>
        <source>The server did not respond to %1 within %2 s.</source>
        <translation>Der Server hat auf %1 nicht innerhalb von %2 s geantwortet.</translation>
    </message>
    <message>
        <source>A server that is downloaded at start, or that waits for something, may need longer.</source>
        <translation>Ein Server, der beim Start heruntergeladen wird oder auf etwas wartet, braucht eventuell länger.</translation>
    </message>
</context>
<context>
    <name>sonde::Dialect</name>
    <message>
        <source>There are more findings of this kind.</source>
        <translation>Es gibt weitere Befunde dieser Art.</translation>
    </message>
    <message>
        <source>At byte %1: %2</source>
        <translation>Bei Byte %1: %2</translation>
    </message>
    <message>
        <source>The server&apos;s response breaks JSON-RPC.</source>
        <translation>Die Antwort des Servers verletzt JSON-RPC.</translation>
    </message>
    <message>
        <source>The result of %1 is %2, not an object.</source>
        <translation>Das Ergebnis von %1 ist %2, kein Objekt.</translation>
    </message>
    <message>
        <source>Response to %1: %2</source>
        <translation>Antwort auf %1: %2</translation>
    </message>
    <message>
        <source>&apos;isError&apos; is %1, not a boolean; it is read as false.</source>
        <translation>&apos;isError&apos; ist %1, kein Boolean; es wird als false gelesen.</translation>
    </message>
    <message>
        <source>The tool %1 cannot be called over HTTP: %2</source>
        <translation>Das Tool %1 kann nicht über HTTP aufgerufen werden: %2</translation>
    </message>
    <message>
        <source>“%1” is too large for the header %2: integers there end at ±9007199254740991.</source>
        <translation>„%1“ ist zu groß für den Header %2: Ganzzahlen enden dort bei ±9007199254740991.</translation>
    </message>
    <message>
        <source>The server supports %1, Sonde supports %2. Use Detect again.</source>
        <translation>Der Server unterstützt %1, Sonde unterstützt %2. „Erneut erkennen“ verwenden.</translation>
    </message>
    <message>
        <source>The result has no &apos;resultType&apos;; it is read as complete.</source>
        <translation>Das Ergebnis hat keinen &apos;resultType&apos;; es wird als complete gelesen.</translation>
    </message>
    <message>
        <source>The server asks for input, but does not say which.</source>
        <translation>Der Server bittet um Eingabe, sagt aber nicht, um welche.</translation>
    </message>
    <message>
        <source>The result of %1 has the type %2, which is not allowed there.</source>
        <translation>Das Ergebnis von %1 hat den Typ %2, der dort nicht erlaubt ist.</translation>
    </message>
    <message>
        <source>The task was cancelled.</source>
        <translation>Der Task wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The task was cancelled: %1</source>
        <translation>Der Task wurde abgebrochen: %1</translation>
    </message>
    <message>
        <source>The server started a task without a &apos;taskId&apos;, so its result cannot be read.</source>
        <translation>Der Server hat einen Task ohne &apos;taskId&apos; gestartet, daher kann sein Ergebnis nicht gelesen werden.</translation>
    </message>
    <message>
        <source>The &apos;taskId&apos; of the task has %1 characters; the limit is %2.</source>
        <translation>Die &apos;taskId&apos; des Tasks hat %1 Zeichen; die Grenze ist %2.</translation>
    </message>
    <message>
        <source>The server does not say the &apos;status&apos; of the task, so it cannot be followed.</source>
        <translation>Der Server nennt den &apos;status&apos; des Tasks nicht, daher kann er nicht verfolgt werden.</translation>
    </message>
    <message>
        <source>The server says that the &apos;status&apos; of the task is %1, which the protocol does not have, so it cannot be followed.</source>
        <translation>Der Server nennt als &apos;status&apos; des Tasks %1; das Protokoll kennt ihn nicht, daher kann der Task nicht verfolgt werden.</translation>
    </message>
    <message>
        <source>A task that has not ended has a result; it is ignored.</source>
        <translation>Ein noch nicht beendeter Task hat ein Ergebnis; es wird ignoriert.</translation>
    </message>
    <message>
        <source>The task requires input, but has no object &apos;inputRequests&apos;.</source>
        <translation>Der Task verlangt Eingabe, hat aber kein Objekt &apos;inputRequests&apos;.</translation>
    </message>
    <message>
        <source>The task is completed, but the server sent no &apos;result&apos; with it.</source>
        <translation>Der Task ist abgeschlossen, aber der Server hat kein &apos;result&apos; mitgesendet.</translation>
    </message>
    <message>
        <source>The task failed, and the server sent no &apos;error&apos; with it. %1</source>
        <translation>Der Task ist fehlgeschlagen, und der Server hat keinen &apos;error&apos; mitgesendet. %1</translation>
    </message>
</context>
<context>
    <name>sonde::Difference</name>
    <message>
        <source>absent</source>
        <translation>nicht vorhanden</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>same value, different text</source>
        <translation>gleicher Wert, anderer Text</translation>
    </message>
    <message>
        <source>type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>%1: added %2</source>
        <translation>%1: hinzugefügt %2</translation>
    </message>
    <message>
        <source>%1: removed %2</source>
        <translation>%1: entfernt %2</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1: %2 → %3</translation>
    </message>
    <message>
        <source>%1: %2 → %3, same value</source>
        <translation>%1: %2 → %3, gleicher Wert</translation>
    </message>
    <message>
        <source>more than %1 differences</source>
        <translation>mehr als %1 Unterschiede</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 Unterschied</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 Unterschiede</translation>
    </message>
    <message>
        <source>1 difference in formatting only</source>
        <translation>1 Unterschied nur in der Formatierung</translation>
    </message>
    <message>
        <source>%1 differences in formatting only</source>
        <translation>%1 Unterschiede nur in der Formatierung</translation>
    </message>
    <message>
        <source>%1 in formatting only</source>
        <translation>%1 nur in der Formatierung</translation>
    </message>
</context>
<context>
    <name>sonde::Doctor</name>
    <message>
        <source>another processor</source>
        <translation>einen anderen Prozessor</translation>
    </message>
    <message>
        <source>the program is for %1</source>
        <translation>das Programm ist für %1</translation>
    </message>
    <message>
        <source>Install the one for this system.</source>
        <translation>Das für dieses System passende installieren.</translation>
    </message>
    <message>
        <source>neither a program of this system nor a script that names its interpreter</source>
        <translation>weder ein Programm dieses Systems noch ein Skript, das seinen Interpreter nennt</translation>
    </message>
    <message>
        <source>A script needs a first line such as “#!/bin/sh”; or start it through its interpreter.</source>
        <translation>Ein Skript braucht eine erste Zeile wie „#!/bin/sh“; oder es über seinen Interpreter starten.</translation>
    </message>
    <message>
        <source>the program is for %1; this computer is %2</source>
        <translation>das Programm ist für %1; dieser Computer ist %2</translation>
    </message>
    <message>
        <source>the program needs the loader %1, which does not exist</source>
        <translation>das Programm braucht den Loader %1, der nicht existiert</translation>
    </message>
    <message>
        <source>It was built for another distribution, such as one with musl.</source>
        <translation>Es wurde für eine andere Distribution gebaut, etwa eine mit musl.</translation>
    </message>
    <message>
        <source>Use the login shell&apos;s PATH</source>
        <translation>PATH der Login-Shell verwenden</translation>
    </message>
    <message>
        <source>Choose working directory…</source>
        <translation>Arbeitsverzeichnis wählen&#xa0;…</translation>
    </message>
    <message>
        <source>Edit server…</source>
        <translation>Server bearbeiten&#xa0;…</translation>
    </message>
    <message>
        <source>Add a header…</source>
        <translation>Header hinzufügen&#xa0;…</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Try HTTP+SSE</source>
        <translation>HTTP+SSE versuchen</translation>
    </message>
    <message>
        <source>Detect the transport</source>
        <translation>Transport erkennen</translation>
    </message>
    <message>
        <source>Network settings…</source>
        <translation>Netzwerkeinstellungen&#xa0;…</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>Laufzeitumgebung</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>First output</source>
        <translation>Erste Ausgabe</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Host name</source>
        <translation>Hostname</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>TLS</source>
        <translation>TLS</translation>
    </message>
    <message>
        <source>HTTP status</source>
        <translation>HTTP-Status</translation>
    </message>
    <message>
        <source>Authorization</source>
        <translation>Autorisierung</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>Handshake</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
</context>
<context>
    <name>sonde::Entry</name>
    <message>
        <source>The entry is not an object.</source>
        <translation>Der Eintrag ist kein Objekt.</translation>
    </message>
    <message>
        <source>&apos;uri&apos; has no scheme.</source>
        <translation>&apos;uri&apos; hat kein Schema.</translation>
    </message>
    <message>
        <source>Neither &apos;text&apos; nor &apos;blob&apos; is present.</source>
        <translation>Weder &apos;text&apos; noch &apos;blob&apos; ist vorhanden.</translation>
    </message>
    <message>
        <source>Both &apos;text&apos; and &apos;blob&apos; are present.</source>
        <translation>Sowohl &apos;text&apos; als auch &apos;blob&apos; ist vorhanden.</translation>
    </message>
    <message>
        <source>The content is not an object.</source>
        <translation>Der Inhalt ist kein Objekt.</translation>
    </message>
    <message>
        <source>Unknown content type &quot;%1&quot;.</source>
        <translation>Unbekannter Inhaltstyp &quot;%1&quot;.</translation>
    </message>
    <message>
        <source>The content is a single object instead of an array.</source>
        <translation>Der Inhalt ist ein einzelnes Objekt statt eines Arrays.</translation>
    </message>
</context>
<context>
    <name>sonde::EventStream</name>
    <message>
        <source>The server ended the event stream, which ends the session.</source>
        <translation>Der Server hat den Ereignisstrom beendet; das beendet die Sitzung.</translation>
    </message>
    <message>
        <source>HTTP+SSE cannot resume a stream. Reconnect to start a new session.</source>
        <translation>HTTP+SSE kann einen Strom nicht fortsetzen. Für eine neue Sitzung neu verbinden.</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: the server refuses it (HTTP %1).</source>
        <translation>Der Strom für Servernachrichten wird nicht wieder geöffnet: Der Server lehnt ihn ab (HTTP %1).</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: it ended without a message.</source>
        <translation>Der Strom für Servernachrichten wird nicht wieder geöffnet: Er endete ohne Nachricht.</translation>
    </message>
    <message>
        <source>The stream for server messages is not reopened: it ended %1 times in a row without a message.</source>
        <translation>Der Strom für Servernachrichten wird nicht wieder geöffnet: Er endete %1-mal hintereinander ohne Nachricht.</translation>
    </message>
    <message>
        <source>Server notifications and requests will not be received. Reconnect to reopen the stream.</source>
        <translation>Benachrichtigungen und Anfragen des Servers werden nicht empfangen. Zum erneuten Öffnen des Stroms neu verbinden.</translation>
    </message>
</context>
<context>
    <name>sonde::Examination</name>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>revision %1, %2 %3</source>
        <translation>Revision %1, %2 %3</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>Tools</translation>
    </message>
    <message>
        <source>resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>resource templates</source>
        <translation>Ressourcenvorlagen</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>none offered</source>
        <translation>keine angeboten</translation>
    </message>
</context>
<context>
    <name>sonde::Exporter</name>
    <message>
        <source>This file is the session itself.</source>
        <translation>Diese Datei ist die Sitzung selbst.</translation>
    </message>
    <message>
        <source>Choose another file; an export contains less than the session.</source>
        <translation>Eine andere Datei wählen; ein Export enthält weniger als die Sitzung.</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation>Nicht geschrieben: %1</translation>
    </message>
    <message>
        <source>… and %1 more bytes</source>
        <translation>… und %1 weitere Bytes</translation>
    </message>
    <message>
        <source>Session with %1</source>
        <translation>Sitzung mit %1</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 Einträge</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Waiting for user</source>
        <translation>Warten auf Benutzer</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>Einträge</translation>
    </message>
    <message>
        <source>plus %1 waiting for user</source>
        <translation>plus %1 Warten auf Benutzer</translation>
    </message>
    <message>
        <source>Redacted</source>
        <translation>Geschwärzt</translation>
    </message>
</context>
<context>
    <name>sonde::Files</name>
    <message>
        <source>%1 is being changed by another program.</source>
        <translation>%1 wird gerade von einem anderen Programm geändert.</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>Gleich noch einmal versuchen.</translation>
    </message>
    <message>
        <source>%1 is not a JSON object.</source>
        <translation>%1 ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 kann nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>not an ordinary file</source>
        <translation>keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>Standard input</source>
        <translation>Standardeingabe</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1 kann nicht gelesen werden: %2.</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Bytes</translation>
    </message>
    <message>
        <source>%1 is larger than %2.</source>
        <translation>%1 ist größer als %2.</translation>
    </message>
    <message>
        <source>Check that it is the right file.</source>
        <translation>Prüfen, ob es die richtige Datei ist.</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>ein Ordner</translation>
    </message>
    <message>
        <source>a named pipe</source>
        <translation>eine benannte Pipe</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>ein Socket</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>ein Gerät</translation>
    </message>
    <message>
        <source>something else</source>
        <translation>etwas anderes</translation>
    </message>
    <message>
        <source>%1 cannot be read: it is %2, not an ordinary file.</source>
        <translation>%1 kann nicht gelesen werden: Es ist %2, keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>Put an ordinary file in its place.</source>
        <translation>An dessen Stelle eine gewöhnliche Datei ablegen.</translation>
    </message>
    <message>
        <source>No home directory: HOME is not set.</source>
        <translation>Kein Home-Verzeichnis: HOME ist nicht gesetzt.</translation>
    </message>
    <message>
        <source>Set HOME and start Sonde again.</source>
        <translation>HOME setzen und Sonde neu starten.</translation>
    </message>
    <message>
        <source>The folder &apos;%1&apos; could not be created: %2</source>
        <translation>Der Ordner &apos;%1&apos; konnte nicht erstellt werden: %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a folder.</source>
        <translation>&apos;%1&apos; ist kein Ordner.</translation>
    </message>
</context>
<context>
    <name>sonde::Filter</name>
    <message>
        <source>This filter is too long.</source>
        <translation>Dieser Filter ist zu lang.</translation>
    </message>
    <message>
        <source>Method of the message, or of its request</source>
        <translation>Methode der Nachricht oder ihrer Anfrage</translation>
    </message>
    <message>
        <source>Name of the called tool, also on responses</source>
        <translation>Name des aufgerufenen Tools, auch bei Antworten</translation>
    </message>
    <message>
        <source>Name of the requested prompt, also on responses</source>
        <translation>Name des angeforderten Prompts, auch bei Antworten</translation>
    </message>
    <message>
        <source>URI of the resource, also on responses</source>
        <translation>URI der Ressource, auch bei Antworten</translation>
    </message>
    <message>
        <source>ID of the request or response</source>
        <translation>ID der Anfrage oder Antwort</translation>
    </message>
    <message>
        <source>Direction: out to the server, in from the server, or local</source>
        <translation>Richtung: out zum Server, in vom Server oder local</translation>
    </message>
    <message>
        <source>Kind of record or message</source>
        <translation>Art des Eintrags oder der Nachricht</translation>
    </message>
    <message>
        <source>Outcome of the request</source>
        <translation>Ausgang der Anfrage</translation>
    </message>
    <message>
        <source>Milliseconds from request to response</source>
        <translation>Millisekunden von der Anfrage zur Antwort</translation>
    </message>
    <message>
        <source>Bytes on the wire</source>
        <translation>Bytes auf der Leitung</translation>
    </message>
    <message>
        <source>HTTP status</source>
        <translation>HTTP-Status</translation>
    </message>
    <message>
        <source>Protocol revision in use</source>
        <translation>Verwendete Protokollrevision</translation>
    </message>
    <message>
        <source>Name of the server</source>
        <translation>Name des Servers</translation>
    </message>
    <message>
        <source>Findings about the record as text; true or false</source>
        <translation>Befunde zum Eintrag als Text; true oder false</translation>
    </message>
    <message>
        <source>Seconds since the start, a time of day, or a date and time</source>
        <translation>Sekunden seit dem Start, eine Uhrzeit oder Datum und Uhrzeit</translation>
    </message>
    <message>
        <source>JSON pointer into the message</source>
        <translation>JSON-Pointer in die Nachricht</translation>
    </message>
    <message>
        <source>“%1” must be one of %2.</source>
        <translation>„%1“ muss eines von %2 sein.</translation>
    </message>
    <message>
        <source>Not a valid time. Write 12.5 (seconds since the start), 14:05:30 or 2026-01-31T14:05:30Z.</source>
        <translation>Keine gültige Zeit. 12.5 (Sekunden seit dem Start), 14:05:30 oder 2026-01-31T14:05:30Z schreiben.</translation>
    </message>
    <message>
        <source>Not a valid regular expression: %1, at character %2.</source>
        <translation>Kein gültiger regulärer Ausdruck: %1, bei Zeichen %2.</translation>
    </message>
    <message>
        <source>“%1” has no order: use == or !=.</source>
        <translation>„%1“ hat keine Ordnung: == oder != verwenden.</translation>
    </message>
    <message>
        <source>“%1” must be compared with a number.</source>
        <translation>„%1“ muss mit einer Zahl verglichen werden.</translation>
    </message>
    <message>
        <source>Unmatched closing parenthesis.</source>
        <translation>Schließende Klammer ohne Gegenstück.</translation>
    </message>
    <message>
        <source>Nested too deeply.</source>
        <translation>Zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>Unclosed parenthesis.</source>
        <translation>Nicht geschlossene Klammer.</translation>
    </message>
    <message>
        <source>Unclosed quote.</source>
        <translation>Nicht geschlossenes Anführungszeichen.</translation>
    </message>
    <message>
        <source>Expected a field before this operator: %1.</source>
        <translation>Vor diesem Operator wird ein Feld erwartet: %1.</translation>
    </message>
    <message>
        <source>Expected a word, a comparison or a parenthesis.</source>
        <translation>Ein Wort, ein Vergleich oder eine Klammer wird erwartet.</translation>
    </message>
    <message>
        <source>Expected a word, a comparison or a parenthesis before this.</source>
        <translation>Davor wird ein Wort, ein Vergleich oder eine Klammer erwartet.</translation>
    </message>
    <message>
        <source>Use == for equality.</source>
        <translation>Für Gleichheit == verwenden.</translation>
    </message>
    <message>
        <source>Expected a value.</source>
        <translation>Ein Wert wird erwartet.</translation>
    </message>
    <message>
        <source>Write ~ as ~0 in a JSON pointer.</source>
        <translation>In einem JSON-Pointer ~ als ~0 schreiben.</translation>
    </message>
    <message>
        <source>Unknown field “%1”. Fields are %2, and JSON pointers such as /params/name. To search for text that contains =, &lt;, &gt; or ~, put it in quotes.</source>
        <translation>Unbekanntes Feld „%1“. Felder sind %2 und JSON-Pointer wie /params/name. Um Text zu suchen, der =, &lt;, &gt; oder ~ enthält, ihn in Anführungszeichen setzen.</translation>
    </message>
    <message>
        <source>The values of “%1” have no order: use ==, != or ~.</source>
        <translation>Die Werte von „%1“ haben keine Ordnung: ==, != oder ~ verwenden.</translation>
    </message>
    <message>
        <source>~ matches text, but “%1” is not text: use ==, !=, &lt;, &lt;=, &gt; or &gt;=.</source>
        <translation>~ sucht in Text, aber „%1“ ist kein Text: ==, !=, &lt;, &lt;=, &gt; oder &gt;= verwenden.</translation>
    </message>
</context>
<context>
    <name>sonde::HttpExchange</name>
    <message>
        <source>The response from %1 is not HTTP.</source>
        <translation>Die Antwort von %1 ist kein HTTP.</translation>
    </message>
    <message>
        <source>It begins with: %1</source>
        <translation>Sie beginnt mit: %1</translation>
    </message>
    <message>
        <source>It speaks TLS on this port: begin the URL with https://.</source>
        <translation>Auf diesem Port wird TLS gesprochen: Die URL mit https:// beginnen.</translation>
    </message>
    <message>
        <source>The headers of the response from %1 are longer than the limit of %2.</source>
        <translation>Die Header der Antwort von %1 sind länger als die Grenze von %2.</translation>
    </message>
    <message>
        <source>The response has an invalid Content-Length: %1</source>
        <translation>Die Antwort hat eine ungültige Content-Length: %1</translation>
    </message>
    <message>
        <source>The response has the Transfer-Encoding “%1”; only “chunked” is supported.</source>
        <translation>Die Antwort hat das Transfer-Encoding „%1“; nur „chunked“ wird unterstützt.</translation>
    </message>
    <message>
        <source>The body of the response breaks the chunked encoding.</source>
        <translation>Der Body der Antwort verletzt die Chunked-Kodierung.</translation>
    </message>
    <message>
        <source>Expected a chunk size or a line end, got: %1</source>
        <translation>Chunk-Größe oder Zeilenende erwartet, erhalten: %1</translation>
    </message>
    <message>
        <source>%1 closed the connection before it had read the whole request.</source>
        <translation>%1 hat die Verbindung geschlossen, bevor die ganze Anfrage gelesen war.</translation>
    </message>
    <message>
        <source>The request (%1) may be larger than the server accepts.</source>
        <translation>Die Anfrage (%1) ist eventuell größer, als der Server akzeptiert.</translation>
    </message>
    <message>
        <source>The response from %1 stalled: no data received for %2 s.</source>
        <translation>Die Antwort von %1 stockt: %2 s lang keine Daten empfangen.</translation>
    </message>
    <message>
        <source>The headers of the response from %1 were not complete within %2 s.</source>
        <translation>Die Header der Antwort von %1 waren nicht innerhalb von %2 s vollständig.</translation>
    </message>
    <message>
        <source>%1 did not start to respond within %2 s.</source>
        <translation>%1 hat nicht innerhalb von %2 s zu antworten begonnen.</translation>
    </message>
</context>
<context>
    <name>sonde::HttpFetch</name>
    <message>
        <source>%1 did not respond within %2 s.</source>
        <translation>%1 hat nicht innerhalb von %2 s geantwortet.</translation>
    </message>
    <message>
        <source>The response from %1 is larger than %2 bytes.</source>
        <translation>Die Antwort von %1 ist größer als %2 Bytes.</translation>
    </message>
</context>
<context>
    <name>sonde::HttpStream</name>
    <message>
        <source>Session lost: the server no longer knows it (HTTP 404).</source>
        <translation>Sitzung verloren: Der Server kennt sie nicht mehr (HTTP 404).</translation>
    </message>
    <message>
        <source>If no new session was started, reconnect. Calls are repeated only once, and only if that is safe.</source>
        <translation>Falls keine neue Sitzung gestartet wurde, neu verbinden. Aufrufe werden nur einmal wiederholt und nur, wenn das sicher ist.</translation>
    </message>
    <message>
        <source>The server compressed its response (%1), which Sonde does not support.</source>
        <translation>Der Server hat seine Antwort komprimiert (%1); Sonde unterstützt das nicht.</translation>
    </message>
    <message>
        <source>The server compressed its response (%1), although compression was not accepted.</source>
        <translation>Der Server hat seine Antwort komprimiert (%1), obwohl Komprimierung nicht akzeptiert wurde.</translation>
    </message>
    <message>
        <source>Set Accept-Encoding to “identity”.</source>
        <translation>Accept-Encoding auf „identity“ setzen.</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 without a response to the request.</source>
        <translation>Der Server lieferte HTTP %1 ohne Antwort auf die Anfrage.</translation>
    </message>
    <message>
        <source>The response has no Content-Type.</source>
        <translation>Die Antwort hat keinen Content-Type.</translation>
    </message>
    <message>
        <source>The server returned %1 instead of JSON or an event stream.</source>
        <translation>Der Server lieferte %1 statt JSON oder eines Ereignisstroms.</translation>
    </message>
    <message>
        <source>This is a web page: possibly a login page, or the wrong URL.</source>
        <translation>Das ist eine Webseite: möglicherweise eine Anmeldeseite oder die falsche URL.</translation>
    </message>
</context>
<context>
    <name>sonde::HttpTransport</name>
    <message>
        <source>on a private network</source>
        <translation>in einem privaten Netz</translation>
    </message>
    <message>
        <source>a link-local address</source>
        <translation>eine Link-Local-Adresse</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>auf diesem Computer</translation>
    </message>
    <message>
        <source>a reserved address</source>
        <translation>eine reservierte Adresse</translation>
    </message>
    <message>
        <source>a public address</source>
        <translation>eine öffentliche Adresse</translation>
    </message>
    <message>
        <source>Not connected to %1, which the server named: it is %2.</source>
        <translation>Nicht mit %1 verbunden, das der Server nannte: Es ist %2.</translation>
    </message>
    <message>
        <source>Not connected to %1, which the server named: its address %2 is %3.</source>
        <translation>Nicht mit %1 verbunden, das der Server nannte: Die Adresse %2 ist %3.</translation>
    </message>
    <message>
        <source>If you trust this, add %1 to the allowed hosts in this server&apos;s network settings, or pass --allow-host to sonde-cli.</source>
        <translation>Wenn Sie dem vertrauen, %1 in den Netzwerkeinstellungen dieses Servers zu den erlaubten Hosts hinzufügen oder --allow-host an sonde-cli übergeben.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>  certificate of %1, issued by %2, valid from %3</source>
        <translation>  Zertifikat von %1, ausgestellt von %2, gültig von %3</translation>
    </message>
    <message>
        <source>The server&apos;s certificate:</source>
        <translation>Das Zertifikat des Servers:</translation>
    </message>
    <message>
        <source>  Subject: %1</source>
        <translation>  Inhaber: %1</translation>
    </message>
    <message>
        <source>  For: %1</source>
        <translation>  Für: %1</translation>
    </message>
    <message>
        <source>  Issuer: %1</source>
        <translation>  Aussteller: %1</translation>
    </message>
    <message>
        <source>  Valid: %1</source>
        <translation>  Gültig: %1</translation>
    </message>
    <message>
        <source>  SHA-256: %1</source>
        <translation>  SHA-256: %1</translation>
    </message>
    <message>
        <source>Check that the server uses TLS on this port, and whether it requires a client certificate.</source>
        <translation>Prüfen, ob der Server auf diesem Port TLS verwendet und ob er ein Client-Zertifikat verlangt.</translation>
    </message>
    <message>
        <source>To trust exactly this certificate, accept its SHA-256 fingerprint in this server&apos;s network settings, or with --accept-certificate of sonde-cli: %1</source>
        <translation>Um genau diesem Zertifikat zu vertrauen, seinen SHA-256-Fingerabdruck in den Netzwerkeinstellungen dieses Servers oder mit --accept-certificate von sonde-cli akzeptieren: %1</translation>
    </message>
    <message>
        <source>It is not the certificate that is accepted for this server.</source>
        <translation>Es ist nicht das Zertifikat, das für diesen Server akzeptiert ist.</translation>
    </message>
    <message>
        <source>its certificate has expired</source>
        <translation>sein Zertifikat ist abgelaufen</translation>
    </message>
    <message>
        <source>its certificate is not valid yet</source>
        <translation>sein Zertifikat ist noch nicht gültig</translation>
    </message>
    <message>
        <source>its certificate is for another host</source>
        <translation>sein Zertifikat ist für einen anderen Host</translation>
    </message>
    <message>
        <source>its certificate is self-signed</source>
        <translation>sein Zertifikat ist selbstsigniert</translation>
    </message>
    <message>
        <source>its certificate authority is not trusted by this system</source>
        <translation>dieses System vertraut seiner Zertifizierungsstelle nicht</translation>
    </message>
    <message>
        <source>its certificate issuer is unknown</source>
        <translation>der Aussteller seines Zertifikats ist unbekannt</translation>
    </message>
    <message>
        <source>its certificate was revoked</source>
        <translation>sein Zertifikat wurde widerrufen</translation>
    </message>
    <message>
        <source>Bad Request</source>
        <translation>Ungültige Anfrage</translation>
    </message>
    <message>
        <source>Unauthorized</source>
        <translation>Nicht autorisiert</translation>
    </message>
    <message>
        <source>Forbidden</source>
        <translation>Verboten</translation>
    </message>
    <message>
        <source>Not Found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>Method Not Allowed</source>
        <translation>Methode nicht erlaubt</translation>
    </message>
    <message>
        <source>Not Acceptable</source>
        <translation>Nicht akzeptabel</translation>
    </message>
    <message>
        <source>Conflict</source>
        <translation>Konflikt</translation>
    </message>
    <message>
        <source>Content Too Large</source>
        <translation>Inhalt zu groß</translation>
    </message>
    <message>
        <source>Unsupported Media Type</source>
        <translation>Medientyp nicht unterstützt</translation>
    </message>
    <message>
        <source>Too Many Requests</source>
        <translation>Zu viele Anfragen</translation>
    </message>
    <message>
        <source>Internal Server Error</source>
        <translation>Interner Serverfehler</translation>
    </message>
    <message>
        <source>Bad Gateway</source>
        <translation>Fehlerhaftes Gateway</translation>
    </message>
    <message>
        <source>Service Unavailable</source>
        <translation>Dienst nicht verfügbar</translation>
    </message>
    <message>
        <source>Gateway Timeout</source>
        <translation>Gateway-Zeitüberschreitung</translation>
    </message>
    <message>
        <source>%1 years</source>
        <translation>%1 Jahre</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 Tage</translation>
    </message>
    <message>
        <source>%1 hours</source>
        <translation>%1 Stunden</translation>
    </message>
    <message>
        <source>%1 minutes</source>
        <translation>%1 Minuten</translation>
    </message>
    <message>
        <source>The server asks to retry later (Retry-After: %1).</source>
        <translation>Der Server bittet, es später erneut zu versuchen (Retry-After: %1).</translation>
    </message>
    <message>
        <source>The server asks to retry after %1 seconds (%2).</source>
        <translation>Der Server bittet, es nach %1 Sekunden erneut zu versuchen (%2).</translation>
    </message>
    <message>
        <source>Retry after 1 second.</source>
        <translation>Nach 1 Sekunde erneut versuchen.</translation>
    </message>
    <message>
        <source>Retry after %1 seconds.</source>
        <translation>Nach %1 Sekunden erneut versuchen.</translation>
    </message>
    <message>
        <source>Add them to the system&apos;s proxy settings, as in http_proxy=http://USER:PASSWORD@HOST:PORT.</source>
        <translation>In den Proxy-Einstellungen des Systems ergänzen, wie in http_proxy=http://USER:PASSWORD@HOST:PORT.</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name.</source>
        <translation>„%1“ ist kein gültiger Header-Name.</translation>
    </message>
    <message>
        <source>The value of header “%1” contains a line break or another control character.</source>
        <translation>Der Wert des Headers „%1“ enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.</translation>
    </message>
    <message>
        <source>The header “%1” is set by Sonde itself.</source>
        <translation>Den Header „%1“ setzt Sonde selbst.</translation>
    </message>
    <message>
        <source>Remove it from this server&apos;s headers.</source>
        <translation>Aus den Headern dieses Servers entfernen.</translation>
    </message>
    <message>
        <source>“%1” is not a URL.</source>
        <translation>„%1“ ist keine URL.</translation>
    </message>
    <message>
        <source>A server URL must begin with http:// or https://, not %1:</source>
        <translation>Eine Server-URL muss mit http:// oder https:// beginnen, nicht mit %1:</translation>
    </message>
    <message>
        <source>The server redirects (HTTP %1) without a Location header.</source>
        <translation>Der Server leitet ohne Location-Header um (HTTP %1).</translation>
    </message>
    <message>
        <source>The server redirects (HTTP %1) to %2, which is not an HTTP address.</source>
        <translation>Der Server leitet um (HTTP %1) nach %2; das ist keine HTTP-Adresse.</translation>
    </message>
    <message>
        <source>The server redirects to another origin: %1</source>
        <translation>Der Server leitet zu einem anderen Ursprung (Origin) um: %1</translation>
    </message>
    <message>
        <source>If you trust that address, use it as this server&apos;s URL. Sonde does not follow such redirects, because that would send your headers and the call to it.</source>
        <translation>Wenn Sie dieser Adresse vertrauen, sie als URL dieses Servers verwenden. Sonde folgt solchen Umleitungen nicht, weil dann Ihre Header und der Aufruf dorthin gesendet würden.</translation>
    </message>
    <message>
        <source>The server redirects with HTTP %1 to %2</source>
        <translation>Der Server leitet mit HTTP %1 um nach %2</translation>
    </message>
    <message>
        <source>Use that address as this server&apos;s URL. Only 307 and 308 preserve the request.</source>
        <translation>Diese Adresse als URL dieses Servers verwenden. Nur 307 und 308 erhalten die Anfrage.</translation>
    </message>
    <message>
        <source>Too many redirects, the last one to %1</source>
        <translation>Zu viele Umleitungen, die letzte nach %1</translation>
    </message>
    <message>
        <source>Connection refused: nothing is listening on %1.</source>
        <translation>Verbindung abgelehnt: Auf %1 lauscht nichts.</translation>
    </message>
    <message>
        <source>Check that the server is running and that the port is correct.</source>
        <translation>Prüfen, ob der Server läuft und der Port stimmt.</translation>
    </message>
    <message>
        <source>Host “%1” not found (DNS).</source>
        <translation>Host „%1“ nicht gefunden (DNS).</translation>
    </message>
    <message>
        <source>Check the spelling and the network connection.</source>
        <translation>Schreibweise und Netzwerkverbindung prüfen.</translation>
    </message>
    <message>
        <source>%1 does not speak TLS.</source>
        <translation>%1 spricht kein TLS.</translation>
    </message>
    <message>
        <source>If this server is meant to be reached without encryption, begin its URL with http://.</source>
        <translation>Falls dieser Server ohne Verschlüsselung erreicht werden soll, die URL mit http:// beginnen.</translation>
    </message>
    <message>
        <source>The TLS connection to %1 failed.</source>
        <translation>Die TLS-Verbindung zu %1 ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>%1 is not trusted (TLS): %2.</source>
        <translation>%1 ist nicht vertrauenswürdig (TLS): %2.</translation>
    </message>
    <message>
        <source>%1 closed the connection before its response was complete.</source>
        <translation>%1 hat die Verbindung geschlossen, bevor die Antwort vollständig war.</translation>
    </message>
    <message>
        <source>Servers that require a client certificate do this to clients without one.</source>
        <translation>Server, die ein Client-Zertifikat verlangen, tun das bei Clients ohne ein solches.</translation>
    </message>
    <message>
        <source>The connection to %1 timed out.</source>
        <translation>Zeitüberschreitung der Verbindung zu %1.</translation>
    </message>
    <message>
        <source>Check the address, the network connection and any firewall.</source>
        <translation>Adresse, Netzwerkverbindung und eventuelle Firewall prüfen.</translation>
    </message>
    <message>
        <source>The proxy for %1 failed.</source>
        <translation>Der Proxy für %1 ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Check the proxy in this server&apos;s network settings or in the system&apos;s.</source>
        <translation>Den Proxy in den Netzwerkeinstellungen dieses Servers oder des Systems prüfen.</translation>
    </message>
    <message>
        <source>The proxy for %1 requires a user name and password.</source>
        <translation>Der Proxy für %1 erfordert Benutzername und Passwort.</translation>
    </message>
    <message>
        <source>The connection to %1 failed.</source>
        <translation>Die Verbindung zu %1 ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 %2.</source>
        <translation>Der Server antwortete mit HTTP %1 %2.</translation>
    </message>
    <message>
        <source>The server returned HTTP %1: %2</source>
        <translation>Der Server antwortete mit HTTP %1: %2</translation>
    </message>
    <message>
        <source>Error %1 belongs to revision 2026-07-28.</source>
        <translation>Fehler %1 gehört zur Revision 2026-07-28.</translation>
    </message>
    <message>
        <source>It requires authentication: add an Authorization header.</source>
        <translation>Er verlangt Authentifizierung: einen Authorization-Header hinzufügen.</translation>
    </message>
    <message>
        <source>You are authenticated but not allowed to do this.</source>
        <translation>Sie sind authentifiziert, aber dazu nicht berechtigt.</translation>
    </message>
    <message>
        <source>A proxy requires a user name and password (HTTP 407).</source>
        <translation>Ein Proxy erfordert Benutzername und Passwort (HTTP 407).</translation>
    </message>
    <message>
        <source>Check the path of the URL; many servers use /mcp.</source>
        <translation>Den Pfad der URL prüfen; viele Server verwenden /mcp.</translation>
    </message>
    <message>
        <source>The server may use the older HTTP+SSE transport, or the path is wrong.</source>
        <translation>Der Server verwendet eventuell den älteren Transport HTTP+SSE, oder der Pfad ist falsch.</translation>
    </message>
    <message>
        <source>This server uses the older HTTP+SSE transport of revision 2024-11-05, not Streamable HTTP.</source>
        <translation>Dieser Server verwendet den älteren Transport HTTP+SSE der Revision 2024-11-05, nicht Streamable HTTP.</translation>
    </message>
    <message>
        <source>Set the transport of this server to Automatic or HTTP+SSE. If it also offers Streamable HTTP, use that URL; it often ends in /mcp.</source>
        <translation>Den Transport dieses Servers auf Automatisch oder HTTP+SSE stellen. Falls er auch Streamable HTTP anbietet, diese URL verwenden; sie endet oft auf /mcp.</translation>
    </message>
    <message>
        <source>a carriage return (CR)</source>
        <translation>ein Wagenrücklaufzeichen (CR)</translation>
    </message>
    <message>
        <source>a line feed (LF)</source>
        <translation>ein Zeilenvorschubzeichen (LF)</translation>
    </message>
    <message>
        <source>a NUL</source>
        <translation>ein NUL</translation>
    </message>
    <message>
        <source>the control character 0x%1</source>
        <translation>das Steuerzeichen 0x%1</translation>
    </message>
    <message>
        <source>The value of header “%1” contains %2 at character %3.</source>
        <translation>Der Wert des Headers „%1“ enthält %2 bei Zeichen %3.</translation>
    </message>
    <message>
        <source>A header is one line of text; remove that character.</source>
        <translation>Ein Header ist eine einzelne Textzeile; dieses Zeichen entfernen.</translation>
    </message>
    <message>
        <source>Header %1 has a value but no name.</source>
        <translation>Header %1 hat einen Wert, aber keinen Namen.</translation>
    </message>
    <message>
        <source>Give it a name, or remove it.</source>
        <translation>Einen Namen angeben oder den Header entfernen.</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name (header %2).</source>
        <translation>„%1“ ist kein gültiger Header-Name (Header %2).</translation>
    </message>
    <message>
        <source>Use only letters, digits and !#$%&amp;&apos;*+-.^_`|~, without spaces.</source>
        <translation>Nur Buchstaben, Ziffern und !#$%&amp;&apos;*+-.^_`|~ verwenden, keine Leerzeichen.</translation>
    </message>
    <message>
        <source>Duplicate header “%1” (header %2).</source>
        <translation>Doppelter Header „%1“ (Header %2).</translation>
    </message>
    <message>
        <source>Each name is sent once. Combine the values, separated by a comma.</source>
        <translation>Jeder Name wird einmal gesendet. Die Werte durch Komma getrennt zusammenfassen.</translation>
    </message>
    <message>
        <source>The header “%1” cannot be set; Sonde computes it from the message.</source>
        <translation>Der Header „%1“ kann nicht gesetzt werden; Sonde berechnet ihn aus der Nachricht.</translation>
    </message>
    <message>
        <source>Remove it; a wrong length would corrupt the next request.</source>
        <translation>Den Header entfernen; eine falsche Länge würde die nächste Anfrage beschädigen.</translation>
    </message>
    <message>
        <source>Check this server&apos;s network settings.</source>
        <translation>Die Netzwerkeinstellungen dieses Servers prüfen.</translation>
    </message>
    <message>
        <source>%1 contains no certificate in PEM form.</source>
        <translation>%1 enthält kein Zertifikat im PEM-Format.</translation>
    </message>
    <message>
        <source>The file must contain a line -----BEGIN CERTIFICATE-----.</source>
        <translation>Die Datei muss eine Zeile -----BEGIN CERTIFICATE----- enthalten.</translation>
    </message>
    <message>
        <source>The private key in %1 has a passphrase, which is not supported.</source>
        <translation>Der private Schlüssel in %1 hat eine Passphrase; das wird nicht unterstützt.</translation>
    </message>
    <message>
        <source>Write it without one, with: openssl pkey -in KEY -out NEWKEY</source>
        <translation>Ohne Passphrase schreiben mit: openssl pkey -in KEY -out NEWKEY</translation>
    </message>
    <message>
        <source>%1 contains no private key in PEM form.</source>
        <translation>%1 enthält keinen privaten Schlüssel im PEM-Format.</translation>
    </message>
    <message>
        <source>RSA, EC and DSA keys are supported.</source>
        <translation>Unterstützt werden RSA-, EC- und DSA-Schlüssel.</translation>
    </message>
    <message>
        <source>There is a client key, but no client certificate.</source>
        <translation>Es gibt einen Client-Schlüssel, aber kein Client-Zertifikat.</translation>
    </message>
    <message>
        <source>“%1” is not a SHA-256 fingerprint.</source>
        <translation>„%1“ ist kein SHA-256-Fingerabdruck.</translation>
    </message>
    <message>
        <source>It has 64 hexadecimal digits; colons between them are optional.</source>
        <translation>Er hat 64 Hexadezimalziffern; Doppelpunkte dazwischen sind optional.</translation>
    </message>
    <message>
        <source>“%1” is not a proxy.</source>
        <translation>„%1“ ist kein Proxy.</translation>
    </message>
    <message>
        <source>Use system, none, http://HOST:PORT or socks5://HOST:PORT.</source>
        <translation>Möglich sind system, none, http://HOST:PORT oder socks5://HOST:PORT.</translation>
    </message>
</context>
<context>
    <name>sonde::InputRequest</name>
    <message>
        <source>The result of a server request must be a JSON object.</source>
        <translation>Das Ergebnis einer Server-Anfrage muss ein JSON-Objekt sein.</translation>
    </message>
    <message>
        <source>The server request is no longer open.</source>
        <translation>Die Server-Anfrage ist nicht mehr offen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is an object; forms are flat.</source>
        <translation>&apos;%1&apos; ist ein Objekt; Formulare sind flach.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a list, which forms of revision %2 do not allow.</source>
        <translation>&apos;%1&apos; ist eine Liste; Formulare der Revision %2 erlauben das nicht.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a list of strings.</source>
        <translation>&apos;%1&apos; muss eine Liste von Zeichenketten sein.</translation>
    </message>
    <message>
        <source>The server asks to open a URL, but the client did not declare elicitation.url.</source>
        <translation>Der Server bittet, eine URL zu öffnen, aber der Client hat elicitation.url nicht deklariert.</translation>
    </message>
    <message>
        <source>The server asks to fill in a form, but the client did not declare elicitation.form.</source>
        <translation>Der Server bittet, ein Formular auszufüllen, aber der Client hat elicitation.form nicht deklariert.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must not use tools as user, nor bring their results as assistant.</source>
        <translation>&apos;%1&apos; darf nicht als user Tools verwenden oder deren Ergebnisse als assistant liefern.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; mixes tool results with other content.</source>
        <translation>&apos;%1&apos; mischt Tool-Ergebnisse mit anderem Inhalt.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has results of tools that the previous message did not use.</source>
        <translation>&apos;%1&apos; hat Ergebnisse von Tools, die die vorige Nachricht nicht verwendet hat.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must have exactly the results of the tools that the previous message uses.</source>
        <translation>&apos;%1&apos; muss genau die Ergebnisse der Tools enthalten, die die vorige Nachricht verwendet.</translation>
    </message>
    <message>
        <source>The last message uses tools, but their results do not follow.</source>
        <translation>Die letzte Nachricht verwendet Tools, aber deren Ergebnisse folgen nicht.</translation>
    </message>
    <message>
        <source>The server wants tools to be used while sampling, but the client did not declare sampling.tools.</source>
        <translation>Der Server will beim Sampling Tools verwenden lassen, aber der Client hat sampling.tools nicht deklariert.</translation>
    </message>
    <message>
        <source>&apos;content&apos; is allowed only with the action accept.</source>
        <translation>&apos;content&apos; ist nur mit der Aktion accept erlaubt.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a URI that begins with file://; it is %2.</source>
        <translation>&apos;%1&apos; muss eine URI sein, die mit file:// beginnt; es ist %2.</translation>
    </message>
    <message>
        <source>A result must be a JSON object; it is %1.</source>
        <translation>Ein Ergebnis muss ein JSON-Objekt sein; es ist %1.</translation>
    </message>
    <message>
        <source>&apos;content&apos; must be one object, not a list, in revision %1.</source>
        <translation>&apos;content&apos; muss in Revision %1 ein einzelnes Objekt sein, keine Liste.</translation>
    </message>
    <message>
        <source>&apos;content&apos; uses a tool; the request offers none.</source>
        <translation>&apos;content&apos; verwendet ein Tool; die Anfrage bietet keines an.</translation>
    </message>
    <message>
        <source>&apos;content.%1&apos; must not be a list in revision %2.</source>
        <translation>&apos;content.%1&apos; darf in Revision %2 keine Liste sein.</translation>
    </message>
    <message>
        <source>URL elicitation: the response must not have &apos;content&apos;.</source>
        <translation>URL-Elicitation: Die Antwort darf &apos;content&apos; nicht enthalten.</translation>
    </message>
    <message>
        <source>Form elicitation: the response must have &apos;content&apos;.</source>
        <translation>Formular-Elicitation: Die Antwort muss &apos;content&apos; enthalten.</translation>
    </message>
    <message>
        <source>&apos;content%1&apos; does not match the requestedSchema: %2.</source>
        <translation>&apos;content%1&apos; entspricht nicht dem requestedSchema: %2.</translation>
    </message>
</context>
<context>
    <name>sonde::ListenStream</name>
    <message>
        <source>The server did not acknowledge the subscription within %1 s.</source>
        <translation>Der Server hat das Abonnement nicht innerhalb von %1 s bestätigt.</translation>
    </message>
    <message>
        <source>In the acknowledgement, %1</source>
        <translation>In der Bestätigung: %1</translation>
    </message>
    <message>
        <source>an update of %1</source>
        <translation>eine Aktualisierung von %1</translation>
    </message>
    <message>
        <source>The server sent %1 before it acknowledged the subscription.</source>
        <translation>Der Server sendete %1, bevor er das Abonnement bestätigt hatte.</translation>
    </message>
    <message>
        <source>The server sent %1, which it had not acknowledged.</source>
        <translation>Der Server sendete %1, ohne es bestätigt zu haben.</translation>
    </message>
    <message>
        <source>The server acknowledged this subscription twice.</source>
        <translation>Der Server hat dieses Abonnement zweimal bestätigt.</translation>
    </message>
    <message>
        <source>The server acknowledged more than was requested.</source>
        <translation>Der Server hat mehr bestätigt, als angefordert war.</translation>
    </message>
</context>
<context>
    <name>sonde::LoginShell</name>
    <message>
        <source>The login shell %1 did not report its PATH.</source>
        <translation>Die Login-Shell %1 hat ihren PATH nicht gemeldet.</translation>
    </message>
    <message>
        <source>Add the folder to PATH in this server&apos;s environment instead.</source>
        <translation>Stattdessen den Ordner in der Umgebung dieses Servers zu PATH hinzufügen.</translation>
    </message>
</context>
<context>
    <name>sonde::Message</name>
    <message>
        <source>&apos;error&apos; is not an object.</source>
        <translation>&apos;error&apos; ist kein Objekt.</translation>
    </message>
    <message>
        <source>&apos;code&apos; is missing in &apos;error&apos;.</source>
        <translation>&apos;code&apos; fehlt in &apos;error&apos;.</translation>
    </message>
    <message>
        <source>&apos;code&apos; in &apos;error&apos; is not an integer.</source>
        <translation>&apos;code&apos; in &apos;error&apos; ist keine Ganzzahl.</translation>
    </message>
    <message>
        <source>&apos;message&apos; is missing in &apos;error&apos;.</source>
        <translation>&apos;message&apos; fehlt in &apos;error&apos;.</translation>
    </message>
    <message>
        <source>&apos;message&apos; in &apos;error&apos; is not a string.</source>
        <translation>&apos;message&apos; in &apos;error&apos; ist keine Zeichenkette.</translation>
    </message>
    <message>
        <source>&apos;id&apos; is null and cannot be matched to a request.</source>
        <translation>&apos;id&apos; ist null und kann keiner Anfrage zugeordnet werden.</translation>
    </message>
    <message>
        <source>&apos;id&apos; is neither an integer nor a string.</source>
        <translation>&apos;id&apos; ist weder eine Ganzzahl noch eine Zeichenkette.</translation>
    </message>
    <message>
        <source>&apos;id&apos; is not written as an integer: %1.</source>
        <translation>&apos;id&apos; ist nicht als Ganzzahl geschrieben: %1.</translation>
    </message>
    <message>
        <source>The error has no &apos;code&apos;.</source>
        <translation>Der Fehler hat keinen &apos;code&apos;.</translation>
    </message>
    <message>
        <source>The error&apos;s &apos;code&apos; is not an integer: %1</source>
        <translation>Der &apos;code&apos; des Fehlers ist keine Ganzzahl: %1</translation>
    </message>
    <message>
        <source>The error&apos;s &apos;code&apos; is out of range: %1</source>
        <translation>Der &apos;code&apos; des Fehlers liegt außerhalb des Bereichs: %1</translation>
    </message>
    <message>
        <source>Not JSON, at byte %1: %2</source>
        <translation>Kein JSON, bei Byte %1: %2</translation>
    </message>
    <message>
        <source>JSON, but neither an object nor an array.</source>
        <translation>JSON, aber weder ein Objekt noch ein Array.</translation>
    </message>
    <message>
        <source>An empty array is not a batch.</source>
        <translation>Ein leeres Array ist kein Batch.</translation>
    </message>
    <message>
        <source>No element of this array is a JSON-RPC message.</source>
        <translation>Kein Element dieses Arrays ist eine JSON-RPC-Nachricht.</translation>
    </message>
    <message>
        <source>&apos;jsonrpc&apos; is missing.</source>
        <translation>&apos;jsonrpc&apos; fehlt.</translation>
    </message>
    <message>
        <source>&apos;jsonrpc&apos; is not &quot;2.0&quot;.</source>
        <translation>&apos;jsonrpc&apos; ist nicht &quot;2.0&quot;.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; occurs more than once; the last one counts.</source>
        <translation>&apos;%1&apos; kommt mehrfach vor; das letzte zählt.</translation>
    </message>
    <message>
        <source>None of &apos;method&apos;, &apos;result&apos; and &apos;error&apos; is present.</source>
        <translation>Weder &apos;method&apos; noch &apos;result&apos; noch &apos;error&apos; ist vorhanden.</translation>
    </message>
    <message>
        <source>&apos;method&apos; is not a string.</source>
        <translation>&apos;method&apos; ist keine Zeichenkette.</translation>
    </message>
    <message>
        <source>&apos;params&apos; is an array; MCP allows objects only.</source>
        <translation>&apos;params&apos; ist ein Array; MCP erlaubt nur Objekte.</translation>
    </message>
    <message>
        <source>&apos;params&apos; is not an object.</source>
        <translation>&apos;params&apos; ist kein Objekt.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not allowed together with &apos;method&apos;.</source>
        <translation>&apos;%1&apos; ist zusammen mit &apos;method&apos; nicht erlaubt.</translation>
    </message>
    <message>
        <source>Both &apos;result&apos; and &apos;error&apos; are present.</source>
        <translation>Sowohl &apos;result&apos; als auch &apos;error&apos; ist vorhanden.</translation>
    </message>
    <message>
        <source>&apos;id&apos; is missing.</source>
        <translation>&apos;id&apos; fehlt.</translation>
    </message>
    <message>
        <source>&apos;result&apos; is not an object.</source>
        <translation>&apos;result&apos; ist kein Objekt.</translation>
    </message>
    <message>
        <source>&apos;params&apos; is not allowed in a response.</source>
        <translation>&apos;params&apos; ist in einer Antwort nicht erlaubt.</translation>
    </message>
    <message>
        <source>The server returned an error without a message.</source>
        <translation>Der Server lieferte einen Fehler ohne Meldung.</translation>
    </message>
    <message>
        <source>Nested deeper than %1 levels, the limit of Sonde. The message is not read.</source>
        <translation>Tiefer als %1 Ebenen verschachtelt, die Grenze von Sonde. Die Nachricht wird nicht gelesen.</translation>
    </message>
</context>
<context>
    <name>sonde::MessageReader</name>
    <message>
        <source>A response of %1 or more exceeds the limit of %2.</source>
        <translation>Eine Antwort von %1 oder mehr überschreitet die Grenze von %2.</translation>
    </message>
    <message>
        <source>Ask for less at once, such as a page or a part.</source>
        <translation>Weniger auf einmal anfordern, etwa eine Seite oder einen Teil.</translation>
    </message>
    <message>
        <source>The server returned an empty body.</source>
        <translation>Der Server lieferte einen leeren Body.</translation>
    </message>
</context>
<context>
    <name>sonde::MessageRules</name>
    <message>
        <source>&apos;%1&apos; must be %2; it is %3.</source>
        <translation>&apos;%1&apos; muss %2 sein; es ist %3.</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be an object; it is %2.</source>
        <translation>&apos;%1&apos; muss ein Objekt sein; es ist %2.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing.</source>
        <translation>&apos;%1&apos; fehlt.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be an array; it is %2.</source>
        <translation>&apos;%1&apos; muss ein Array sein; es ist %2.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 items; at most %3 are allowed.</source>
        <translation>&apos;%1&apos; hat %2 Elemente; höchstens %3 sind erlaubt.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing; it must be %2.</source>
        <translation>&apos;%1&apos; fehlt; es muss %2 sein.</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>ein Wert</translation>
    </message>
    <message>
        <source>a boolean</source>
        <translation>ein Boolean</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>eine Zeichenkette</translation>
    </message>
    <message>
        <source>a string that is not empty</source>
        <translation>eine nicht leere Zeichenkette</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>eine Ganzzahl</translation>
    </message>
    <message>
        <source>a string or an integer</source>
        <translation>eine Zeichenkette oder eine Ganzzahl</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>ein Array</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>Servers do not send %1 in revision %2.</source>
        <translation>Server senden in Revision %2 kein %1.</translation>
    </message>
    <message>
        <source>Clients do not send %1 in revision %2.</source>
        <translation>Clients senden in Revision %2 kein %1.</translation>
    </message>
    <message>
        <source>Revision %1 has no %2.</source>
        <translation>Revision %1 hat kein %2.</translation>
    </message>
    <message>
        <source>%1 is a request and needs an &apos;id&apos;.</source>
        <translation>%1 ist eine Anfrage und braucht eine &apos;id&apos;.</translation>
    </message>
    <message>
        <source>%1 is a notification and must not have an &apos;id&apos;.</source>
        <translation>%1 ist eine Benachrichtigung und darf keine &apos;id&apos; haben.</translation>
    </message>
    <message>
        <source>&apos;params&apos; is missing.</source>
        <translation>&apos;params&apos; fehlt.</translation>
    </message>
    <message>
        <source>&apos;error.data&apos; is missing.</source>
        <translation>&apos;error.data&apos; fehlt.</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>nicht vorhanden</translation>
    </message>
    <message>
        <source>The client did not declare &apos;%1&apos;.</source>
        <translation>Der Client hat &apos;%1&apos; nicht deklariert.</translation>
    </message>
    <message>
        <source>Revision %1 has no such request, and the client declared no extension.</source>
        <translation>Revision %1 hat keine solche Anfrage, und der Client hat keine Erweiterung deklariert.</translation>
    </message>
    <message>
        <source>Before notifications/initialized a server may send no request but ping.</source>
        <translation>Vor notifications/initialized darf ein Server keine Anfrage außer ping senden.</translation>
    </message>
</context>
<context>
    <name>sonde::MockServer</name>
    <message>
        <source>The session does not contain a completed handshake.</source>
        <translation>Die Sitzung enthält keinen abgeschlossenen Handshake.</translation>
    </message>
    <message>
        <source>Not a single JSON-RPC request: %1</source>
        <translation>Keine einzelne JSON-RPC-Anfrage: %1</translation>
    </message>
    <message>
        <source>The session contains no response to %1 with these params.</source>
        <translation>Die Sitzung enthält keine Antwort auf %1 mit diesen params.</translation>
    </message>
    <message>
        <source>The session contains no %1 request.</source>
        <translation>Die Sitzung enthält keine %1-Anfrage.</translation>
    </message>
</context>
<context>
    <name>sonde::OAuth</name>
    <message>
        <source>%1 needs the scope %2.</source>
        <translation>%1 braucht den Scope %2.</translation>
    </message>
    <message>
        <source>%1 needs the scopes %2.</source>
        <translation>%1 braucht die Scopes %2.</translation>
    </message>
    <message>
        <source>The server says: “%1”</source>
        <translation>Der Server sagt: „%1“</translation>
    </message>
    <message>
        <source>No sign-in is in progress.</source>
        <translation>Es läuft keine Anmeldung.</translation>
    </message>
    <message>
        <source>The server&apos;s metadata URL is on another origin that is neither https nor on this computer: %1</source>
        <translation>Die Metadaten-URL des Servers hat einen anderen Ursprung (Origin), der weder https noch auf diesem Computer ist: %1</translation>
    </message>
    <message>
        <source>The server&apos;s operator has to publish it at an https URL, or on the server&apos;s own origin.</source>
        <translation>Der Betreiber des Servers muss sie unter einer https-URL oder unter dem eigenen Ursprung des Servers veröffentlichen.</translation>
    </message>
    <message>
        <source>The server refuses the token because of its scopes, but does not name the missing one.</source>
        <translation>Der Server lehnt das Token wegen seiner Scopes ab, nennt aber den fehlenden nicht.</translation>
    </message>
    <message>
        <source>The server requires the scope %1, although the token has it.</source>
        <translation>Der Server verlangt den Scope %1, obwohl das Token ihn hat.</translation>
    </message>
    <message>
        <source>The server requires the scopes %1, although the token has them.</source>
        <translation>Der Server verlangt die Scopes %1, obwohl das Token sie hat.</translation>
    </message>
    <message>
        <source>The server requires the scope %1, which the token lacks.</source>
        <translation>Der Server verlangt den Scope %1, der dem Token fehlt.</translation>
    </message>
    <message>
        <source>The server requires the scopes %1, which the token lacks.</source>
        <translation>Der Server verlangt die Scopes %1, die dem Token fehlen.</translation>
    </message>
    <message>
        <source>It says: %1</source>
        <translation>Er sagt: %1</translation>
    </message>
    <message>
        <source>Compare the scopes that the server requires with those that %1 grants.</source>
        <translation>Die vom Server verlangten Scopes mit denen vergleichen, die %1 gewährt.</translation>
    </message>
    <message>
        <source>%1 did not grant it. Only the operator of that authorization server can change this.</source>
        <translation>%1 hat ihn nicht gewährt. Nur der Betreiber dieses Autorisierungsservers kann das ändern.</translation>
    </message>
    <message>
        <source>Run sonde-cli login to sign in with the scopes %1.</source>
        <translation>sonde-cli login ausführen, um sich mit den Scopes %1 anzumelden.</translation>
    </message>
    <message>
        <source>The server refuses the token that %1 has just issued for it (HTTP %2).</source>
        <translation>Der Server lehnt das Token ab, das %1 gerade für ihn ausgestellt hat (HTTP %2).</translation>
    </message>
    <message>
        <source>Compare the issuer, audience and scopes of the token with those that the server expects. The server&apos;s operator has to correct the one that differs.</source>
        <translation>Aussteller, Audience und Scopes des Tokens mit denen vergleichen, die der Server erwartet. Der Betreiber des Servers muss das Abweichende korrigieren.</translation>
    </message>
    <message>
        <source>Scopes granted before are still valid. Try again to get more.</source>
        <translation>Früher gewährte Scopes gelten weiterhin. Für weitere erneut versuchen.</translation>
    </message>
    <message>
        <source>Not removed: %1</source>
        <translation>Nicht entfernt: %1</translation>
    </message>
    <message>
        <source>The tokens were removed</source>
        <translation>Die Token wurden entfernt</translation>
    </message>
    <message>
        <source>The sign-in was cancelled.</source>
        <translation>Die Anmeldung wurde abgebrochen.</translation>
    </message>
</context>
<context>
    <name>sonde::Operations</name>
    <message>
        <source>Matched to the call by request ID.</source>
        <translation>Dem Aufruf anhand der Anfrage-ID zugeordnet.</translation>
    </message>
    <message>
        <source>Matched to the call by progress token.</source>
        <translation>Dem Aufruf anhand des Fortschritts-Tokens zugeordnet.</translation>
    </message>
    <message>
        <source>Matched to the call by HTTP stream.</source>
        <translation>Dem Aufruf anhand des HTTP-Stroms zugeordnet.</translation>
    </message>
    <message>
        <source>Matched to the call by task ID.</source>
        <translation>Dem Aufruf anhand der Task-ID zugeordnet.</translation>
    </message>
    <message>
        <source>Matched to the call by the returned request state.</source>
        <translation>Dem Aufruf anhand des zurückgegebenen Anfragezustands zugeordnet.</translation>
    </message>
    <message>
        <source>Matched to the only call with these arguments that was waiting for input.</source>
        <translation>Dem einzigen Aufruf mit diesen Argumenten zugeordnet, der auf Eingabe wartete.</translation>
    </message>
    <message>
        <source>Matched to the subscription by ID.</source>
        <translation>Dem Abonnement anhand der ID zugeordnet.</translation>
    </message>
    <message>
        <source>Matched to the call by elicitation ID.</source>
        <translation>Dem Aufruf anhand der Elicitation-ID zugeordnet.</translation>
    </message>
    <message>
        <source>Assumed to belong to this call; no other call was open.</source>
        <translation>Vermutlich zu diesem Aufruf gehörig; kein anderer Aufruf war offen.</translation>
    </message>
    <message>
        <source>Ambiguous: several calls were open.</source>
        <translation>Mehrdeutig: Mehrere Aufrufe waren offen.</translation>
    </message>
    <message>
        <source>Ambiguous: several open calls used the same progress token.</source>
        <translation>Mehrdeutig: Mehrere offene Aufrufe verwendeten dasselbe Fortschritts-Token.</translation>
    </message>
    <message>
        <source>Ambiguous: several tasks have the same ID.</source>
        <translation>Mehrdeutig: Mehrere Tasks haben dieselbe ID.</translation>
    </message>
    <message>
        <source>Ambiguous: several calls were waiting for the same input.</source>
        <translation>Mehrdeutig: Mehrere Aufrufe warteten auf dieselbe Eingabe.</translation>
    </message>
    <message>
        <source>Ambiguous: several open calls have an elicitation with this ID.</source>
        <translation>Mehrdeutig: Mehrere offene Aufrufe haben eine Elicitation mit dieser ID.</translation>
    </message>
    <message>
        <source>No call used this progress token.</source>
        <translation>Kein Aufruf verwendete dieses Fortschritts-Token.</translation>
    </message>
    <message>
        <source>No call has a task with this ID.</source>
        <translation>Kein Aufruf hat einen Task mit dieser ID.</translation>
    </message>
    <message>
        <source>No call was waiting for this input.</source>
        <translation>Kein Aufruf wartete auf diese Eingabe.</translation>
    </message>
    <message>
        <source>No call has an elicitation with this ID.</source>
        <translation>Kein Aufruf hat eine Elicitation mit dieser ID.</translation>
    </message>
    <message>
        <source>No matching request found.</source>
        <translation>Keine passende Anfrage gefunden.</translation>
    </message>
    <message>
        <source>Received on an HTTP stream that belongs to no call.</source>
        <translation>Auf einem HTTP-Strom empfangen, der zu keinem Aufruf gehört.</translation>
    </message>
    <message>
        <source>No call was open.</source>
        <translation>Kein Aufruf war offen.</translation>
    </message>
    <message>
        <source>The batch contains messages of several calls or of none; it is not assigned to a call.</source>
        <translation>Der Batch enthält Nachrichten mehrerer Aufrufe oder gar keines; er ist keinem Aufruf zugeordnet.</translation>
    </message>
</context>
<context>
    <name>sonde::PagedFetch</name>
    <message>
        <source>The connection was closed.</source>
        <translation>Die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>The server refused the cursor of page %1 (-32602): %2</source>
        <translation>Der Server hat den Cursor von Seite %1 abgelehnt (-32602): %2</translation>
    </message>
    <message>
        <source>The list may have changed. Refresh it to start again from the first page.</source>
        <translation>Die Liste hat sich eventuell geändert. Aktualisieren, um wieder mit der ersten Seite zu beginnen.</translation>
    </message>
    <message>
        <source>Page %1: %2</source>
        <translation>Seite %1: %2</translation>
    </message>
    <message>
        <source>&apos;nextCursor&apos; is not a string; the list may be incomplete.</source>
        <translation>&apos;nextCursor&apos; ist keine Zeichenkette; die Liste ist eventuell unvollständig.</translation>
    </message>
    <message>
        <source>The server repeated the cursor &apos;%1&apos;; the list was ended (pages loaded: %2).</source>
        <translation>Der Server hat den Cursor &apos;%1&apos; wiederholt; die Liste wurde beendet (geladene Seiten: %2).</translation>
    </message>
    <message>
        <source>The list was ended at the limit of %1 pages; the server has more.</source>
        <translation>Die Liste wurde an der Grenze von %1 Seiten beendet; der Server hat mehr.</translation>
    </message>
</context>
<context>
    <name>sonde::PostStream</name>
    <message>
        <source>The response does not match this request.</source>
        <translation>Die Antwort passt nicht zu dieser Anfrage.</translation>
    </message>
    <message>
        <source>The response stream was lost, and the server refuses to resume it (HTTP %1).</source>
        <translation>Der Antwortstrom ging verloren, und der Server lehnt die Fortsetzung ab (HTTP %1).</translation>
    </message>
    <message>
        <source>The response stream was lost, and 1 attempt to resume it failed.</source>
        <translation>Der Antwortstrom ging verloren, und 1 Versuch, ihn fortzusetzen, schlug fehl.</translation>
    </message>
    <message>
        <source>The response stream was lost, and %1 attempts to resume it failed.</source>
        <translation>Der Antwortstrom ging verloren, und %1 Versuche, ihn fortzusetzen, schlugen fehl.</translation>
    </message>
    <message>
        <source>The server ended the stream without a response to the request.</source>
        <translation>Der Server hat den Strom ohne Antwort auf die Anfrage beendet.</translation>
    </message>
</context>
<context>
    <name>sonde::ProcessExamination</name>
    <message>
        <source>1 program without arguments</source>
        <translation>1 Programm ohne Argumente</translation>
    </message>
    <message>
        <source>1 program, 1 argument</source>
        <translation>1 Programm, 1 Argument</translation>
    </message>
    <message>
        <source>1 program, %1 arguments</source>
        <translation>1 Programm, %1 Argumente</translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation>existiert nicht</translation>
    </message>
    <message>
        <source>is not a directory</source>
        <translation>ist kein Verzeichnis</translation>
    </message>
    <message>
        <source>cannot be entered: %1</source>
        <translation>Wechsel dorthin nicht möglich: %1</translation>
    </message>
    <message>
        <source>found in the login shell&apos;s PATH</source>
        <translation>im PATH der Login-Shell gefunden</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>%1 is a directory</source>
        <translation>%1 ist ein Verzeichnis</translation>
    </message>
    <message>
        <source>%1 is not executable</source>
        <translation>%1 ist nicht ausführbar</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 existiert nicht</translation>
    </message>
    <message>
        <source>not found in 1 directory</source>
        <translation>in 1 Verzeichnis nicht gefunden</translation>
    </message>
    <message>
        <source>not found in %1 directories</source>
        <translation>in %1 Verzeichnissen nicht gefunden</translation>
    </message>
    <message>
        <source>Asking your login shell for its PATH…</source>
        <translation>Ihre Login-Shell wird nach ihrem PATH gefragt&#xa0;…</translation>
    </message>
    <message>
        <source>Your login shell does not find it either.</source>
        <translation>Auch Ihre Login-Shell findet es nicht.</translation>
    </message>
    <message>
        <source>Your login shell finds it: %1</source>
        <translation>Ihre Login-Shell findet es: %1</translation>
    </message>
    <message>
        <source>the first line of the script names no interpreter</source>
        <translation>die erste Zeile des Skripts nennt keinen Interpreter</translation>
    </message>
    <message>
        <source>the first line of the script ends with a carriage return (Windows line ends)</source>
        <translation>die erste Zeile des Skripts endet mit einem Wagenrücklauf (Windows-Zeilenenden)</translation>
    </message>
    <message>
        <source>the script wants “%1”, which is not a full path</source>
        <translation>das Skript verlangt „%1“; das ist kein vollständiger Pfad</translation>
    </message>
    <message>
        <source>Write “#!/usr/bin/env %1”.</source>
        <translation>„#!/usr/bin/env %1“ schreiben.</translation>
    </message>
    <message>
        <source>env looks for a program with the name “%1”</source>
        <translation>env sucht ein Programm mit dem Namen „%1“</translation>
    </message>
    <message>
        <source>Write “#!/usr/bin/env -S %1”.</source>
        <translation>„#!/usr/bin/env -S %1“ schreiben.</translation>
    </message>
    <message>
        <source>the script wants “%1”, which is not in PATH</source>
        <translation>das Skript verlangt „%1“; das ist nicht in PATH</translation>
    </message>
    <message>
        <source>the script wants %1, which cannot be run</source>
        <translation>das Skript verlangt %1; das kann nicht ausgeführt werden</translation>
    </message>
    <message>
        <source>native program</source>
        <translation>natives Programm</translation>
    </message>
    <message>
        <source>asking %1 for its version…</source>
        <translation>%1 wird nach seiner Version gefragt&#xa0;…</translation>
    </message>
    <message>
        <source>%1 did not report its version (exit code %2)</source>
        <translation>%1 hat seine Version nicht gemeldet (Exit-Code %2)</translation>
    </message>
    <message>
        <source>%1 %2 is too old for this program</source>
        <translation>%1 %2 ist zu alt für dieses Programm</translation>
    </message>
    <message>
        <source>Install %1 or later, or give the full path of a newer one in the command.</source>
        <translation>%1 oder neuer installieren oder im Befehl den vollständigen Pfad einer neueren Version angeben.</translation>
    </message>
    <message>
        <source>%1 %2; the official SDK needs %3 or later</source>
        <translation>%1 %2; das offizielle SDK braucht %3 oder neuer</translation>
    </message>
    <message>
        <source>terminated by %1 (%2)</source>
        <translation>durch %1 (%2) beendet</translation>
    </message>
    <message>
        <source>exited with code %1 before the handshake</source>
        <translation>vor dem Handshake mit Code %1 beendet</translation>
    </message>
    <message>
        <source>process %1 is running</source>
        <translation>Prozess %1 läuft</translation>
    </message>
    <message>
        <source>the process ran</source>
        <translation>der Prozess lief</translation>
    </message>
    <message>
        <source>no message on standard output</source>
        <translation>keine Nachricht auf der Standardausgabe</translation>
    </message>
    <message>
        <source>1 message on standard output</source>
        <translation>1 Nachricht auf der Standardausgabe</translation>
    </message>
    <message>
        <source>%1 messages on standard output</source>
        <translation>%1 Nachrichten auf der Standardausgabe</translation>
    </message>
    <message>
        <source>1 line that is not a message</source>
        <translation>1 Zeile, die keine Nachricht ist</translation>
    </message>
    <message>
        <source>%1 lines that are not messages</source>
        <translation>%1 Zeilen, die keine Nachrichten sind</translation>
    </message>
    <message>
        <source>nothing on standard error</source>
        <translation>nichts auf dem Standardfehler</translation>
    </message>
    <message>
        <source>1 line on standard error</source>
        <translation>1 Zeile auf dem Standardfehler</translation>
    </message>
    <message>
        <source>%1 lines on standard error</source>
        <translation>%1 Zeilen auf dem Standardfehler</translation>
    </message>
    <message>
        <source>It reports that it listens at %1, so it may use HTTP rather than stdio. Start it yourself and add that URL as a server, or add the argument that makes it use stdio.</source>
        <translation>Er meldet, dass er auf %1 lauscht, verwendet also eventuell HTTP statt stdio. Selbst starten und diese URL als Server hinzufügen oder das Argument ergänzen, mit dem er stdio verwendet.</translation>
    </message>
    <message>
        <source>terminated by %1 (%2) after the handshake</source>
        <translation>nach dem Handshake durch %1 (%2) beendet</translation>
    </message>
    <message>
        <source>exited with code %1 after the handshake</source>
        <translation>nach dem Handshake mit Code %1 beendet</translation>
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
        <translation>Byte 0x%1</translation>
    </message>
    <message>
        <source>The data is not a string.</source>
        <translation>Die Daten sind keine Zeichenkette.</translation>
    </message>
    <message>
        <source>The data is missing.</source>
        <translation>Die Daten fehlen.</translation>
    </message>
    <message>
        <source>Character %1 (%2) is not valid base64.</source>
        <translation>Zeichen %1 (%2) ist kein gültiges Base64.</translation>
    </message>
    <message>
        <source>Character %1 (%2) belongs to the base64url alphabet.</source>
        <translation>Zeichen %1 (%2) gehört zum Base64url-Alphabet.</translation>
    </message>
    <message>
        <source>Data after the padding, at character %1.</source>
        <translation>Daten nach dem Padding, bei Zeichen %1.</translation>
    </message>
    <message>
        <source>The data ends in the middle of a byte; it may be truncated.</source>
        <translation>Die Daten enden mitten in einem Byte; sie sind eventuell abgeschnitten.</translation>
    </message>
    <message>
        <source>Incorrect &apos;=&apos; padding.</source>
        <translation>Falsches &apos;=&apos;-Padding.</translation>
    </message>
    <message>
        <source>The last character has unused bits that are not zero.</source>
        <translation>Das letzte Zeichen hat unbenutzte Bits, die nicht null sind.</translation>
    </message>
    <message>
        <source>The server sent no URL.</source>
        <translation>Der Server hat keine URL gesendet.</translation>
    </message>
    <message>
        <source>Not opened: the URL is longer than %1 characters.</source>
        <translation>Nicht geöffnet: Die URL ist länger als %1 Zeichen.</translation>
    </message>
    <message>
        <source>Not opened: the URL contains spaces, backslashes or invisible characters.</source>
        <translation>Nicht geöffnet: Die URL enthält Leerzeichen, Backslashes oder unsichtbare Zeichen.</translation>
    </message>
    <message>
        <source>Not opened: this is not a valid URL.</source>
        <translation>Nicht geöffnet: Das ist keine gültige URL.</translation>
    </message>
    <message>
        <source>Not opened: the scheme “%1” is not https.</source>
        <translation>Nicht geöffnet: Das Schema „%1“ ist nicht https.</translation>
    </message>
    <message>
        <source>Not opened: the URL has no host.</source>
        <translation>Nicht geöffnet: Die URL hat keinen Host.</translation>
    </message>
    <message>
        <source>Not opened: http is allowed to this computer only; others need https.</source>
        <translation>Nicht geöffnet: http ist nur zu diesem Computer erlaubt; andere brauchen https.</translation>
    </message>
    <message>
        <source>Not opened: the text before “@” is a user name; the host is %1.</source>
        <translation>Nicht geöffnet: Der Text vor „@“ ist ein Benutzername; der Host ist %1.</translation>
    </message>
    <message>
        <source>Not opened: the host mixes letters of different alphabets that look alike.</source>
        <translation>Nicht geöffnet: Der Host mischt gleich aussehende Buchstaben verschiedener Alphabete.</translation>
    </message>
    <message>
        <source>The host is an internationalized name (%1). It may look like another one.</source>
        <translation>Der Host ist ein internationalisierter Name (%1). Er kann einem anderen ähnlich sehen.</translation>
    </message>
    <message>
        <source>The host is an IP address.</source>
        <translation>Der Host ist eine IP-Adresse.</translation>
    </message>
    <message>
        <source>Unusual port: %1.</source>
        <translation>Ungewöhnlicher Port: %1.</translation>
    </message>
    <message>
        <source>The URL is unusually long.</source>
        <translation>Die URL ist ungewöhnlich lang.</translation>
    </message>
    <message>
        <source>Out of memory for a message of %1.</source>
        <translation>Nicht genug Arbeitsspeicher für eine Nachricht von %1.</translation>
    </message>
    <message>
        <source>Request less data at once, or close other sessions and programs.</source>
        <translation>Weniger Daten auf einmal anfordern oder andere Sitzungen und Programme schließen.</translation>
    </message>
    <message>
        <source>Parse error: the receiver could not read the message as JSON.</source>
        <translation>Parse-Fehler: Der Empfänger konnte die Nachricht nicht als JSON lesen.</translation>
    </message>
    <message>
        <source>Invalid request: the message is not a valid JSON-RPC request, or not allowed now.</source>
        <translation>Ungültige Anfrage: Die Nachricht ist keine gültige JSON-RPC-Anfrage oder jetzt nicht erlaubt.</translation>
    </message>
    <message>
        <source>Method not found: the receiver does not implement this method.</source>
        <translation>Methode nicht gefunden: Der Empfänger implementiert diese Methode nicht.</translation>
    </message>
    <message>
        <source>Invalid params: the receiver rejected the parameters.</source>
        <translation>Ungültige params: Der Empfänger hat die Parameter abgelehnt.</translation>
    </message>
    <message>
        <source>Internal error: the receiver failed while handling the request.</source>
        <translation>Interner Fehler: Der Empfänger scheiterte bei der Bearbeitung der Anfrage.</translation>
    </message>
    <message>
        <source>Resource not found.</source>
        <translation>Ressource nicht gefunden.</translation>
    </message>
    <message>
        <source>URL elicitation required: the server requires the user to open a URL first.</source>
        <translation>URL-Elicitation nötig: Der Server verlangt, dass der Benutzer zuerst eine URL öffnet.</translation>
    </message>
    <message>
        <source>Header mismatch: a server of revision 2026-07-28 or later requires HTTP headers that match the message.</source>
        <translation>Header passen nicht: Ein Server der Revision 2026-07-28 oder neuer verlangt HTTP-Header, die zur Nachricht passen.</translation>
    </message>
    <message>
        <source>The server requires a capability that the client did not declare.</source>
        <translation>Der Server verlangt eine Fähigkeit, die der Client nicht deklariert hat.</translation>
    </message>
    <message>
        <source>Unsupported protocol revision.</source>
        <translation>Nicht unterstützte Protokollrevision.</translation>
    </message>
    <message>
        <source>Server-defined error.</source>
        <translation>Vom Server definierter Fehler.</translation>
    </message>
    <message>
        <source>Reserved error code.</source>
        <translation>Reservierter Fehlercode.</translation>
    </message>
    <message>
        <source>the schema&apos;s root</source>
        <translation>die Wurzel des Schemas</translation>
    </message>
    <message>
        <source>The x-mcp-header of %1 is not a name for an HTTP header: %2</source>
        <translation>Der x-mcp-header von %1 ist kein Name für einen HTTP-Header: %2</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” (%2) is not on a property that every call can have.</source>
        <translation>Der x-mcp-header „%1“ (%2) steht nicht an einer Eigenschaft, die jeder Aufruf haben kann.</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” (%2) is on a property that is not a string, an integer or a boolean.</source>
        <translation>Der x-mcp-header „%1“ (%2) steht an einer Eigenschaft, die keine Zeichenkette, keine Ganzzahl und kein Boolean ist.</translation>
    </message>
    <message>
        <source>The x-mcp-header “%1” is used more than once.</source>
        <translation>Der x-mcp-header „%1“ wird mehrfach verwendet.</translation>
    </message>
    <message>
        <source>Invalid URI template at character %1: %2</source>
        <translation>Ungültige URI-Vorlage bei Zeichen %1: %2</translation>
    </message>
    <message>
        <source>the operator “%1” is reserved.</source>
        <translation>der Operator „%1“ ist reserviert.</translation>
    </message>
    <message>
        <source>the expression is not closed.</source>
        <translation>der Ausdruck ist nicht geschlossen.</translation>
    </message>
    <message>
        <source>unexpected “%1”.</source>
        <translation>unerwartetes „%1“.</translation>
    </message>
    <message>
        <source>the prefix length must be from 1 to 9999.</source>
        <translation>die Präfixlänge muss zwischen 1 und 9999 liegen.</translation>
    </message>
    <message>
        <source>unmatched “}”.</source>
        <translation>„}“ ohne Gegenstück.</translation>
    </message>
    <message>
        <source>“%1:%2” takes a prefix of a string, but the value is a list.</source>
        <translation>„%1:%2“ nimmt ein Präfix einer Zeichenkette, aber der Wert ist eine Liste.</translation>
    </message>
    <message>
        <source>‹empty›</source>
        <translation>‹leer›</translation>
    </message>
    <message>
        <source>‹%1 spaces›</source>
        <translation>‹%1 Leerzeichen›</translation>
    </message>
    <message>
        <source>The address points to this computer.</source>
        <translation>Die Adresse verweist auf diesen Computer.</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayJudge</name>
    <message>
        <source>A result before, a JSON-RPC error after.</source>
        <translation>Vorher ein Ergebnis, nachher ein JSON-RPC-Fehler.</translation>
    </message>
    <message>
        <source>A JSON-RPC error before, a result after.</source>
        <translation>Vorher ein JSON-RPC-Fehler, nachher ein Ergebnis.</translation>
    </message>
    <message>
        <source>A different JSON-RPC error.</source>
        <translation>Ein anderer JSON-RPC-Fehler.</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayRules</name>
    <message>
        <source>&apos;%1&apos; is not a JSON pointer: it must begin with /</source>
        <translation>&apos;%1&apos; ist kein JSON-Pointer: Er muss mit / beginnen</translation>
    </message>
    <message>
        <source>a rule needs a pointer, a pattern or a regex</source>
        <translation>eine Regel braucht &apos;pointer&apos;, &apos;pattern&apos; oder &apos;regex&apos;</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a valid regular expression: %2, at character %3</source>
        <translation>&apos;%1&apos; ist kein gültiger regulärer Ausdruck: %2, bei Zeichen %3</translation>
    </message>
    <message>
        <source>the regex is empty</source>
        <translation>die Regex ist leer</translation>
    </message>
    <message>
        <source>a rule is not a JSON object</source>
        <translation>eine Regel ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a string</source>
        <translation>&apos;%1&apos; ist keine Zeichenkette</translation>
    </message>
    <message>
        <source>a rule can have either a pattern or a regex</source>
        <translation>eine Regel kann entweder &apos;pattern&apos; oder &apos;regex&apos; haben</translation>
    </message>
    <message>
        <source>unknown pattern &apos;%1&apos;; patterns are timestamp and uuid</source>
        <translation>unbekanntes Muster &apos;%1&apos;; Muster sind timestamp und uuid</translation>
    </message>
    <message>
        <source>unknown member &apos;%1&apos; in a rule</source>
        <translation>unbekanntes Element &apos;%1&apos; in einer Regel</translation>
    </message>
    <message>
        <source>%1 is not JSON: %2</source>
        <translation>%1 ist kein JSON: %2</translation>
    </message>
    <message>
        <source>%1 contains no rules: expected an object with a list &apos;ignore&apos;</source>
        <translation>%1 enthält keine Regeln: Erwartet wird ein Objekt mit einer Liste &apos;ignore&apos;</translation>
    </message>
    <message>
        <source>the rules are not a list</source>
        <translation>die Regeln sind keine Liste</translation>
    </message>
    <message>
        <source>rule %1: %2</source>
        <translation>Regel %1: %2</translation>
    </message>
</context>
<context>
    <name>sonde::ReplayRun</name>
    <message>
        <source>The session is damaged at byte %1: %2 The readable part is replayed.</source>
        <translation>Die Sitzung ist bei Byte %1 beschädigt: %2 Der lesbare Teil wird abgespielt.</translation>
    </message>
    <message>
        <source>There is not enough memory to read the recording.</source>
        <translation>Nicht genug Arbeitsspeicher, um die Aufzeichnung zu lesen.</translation>
    </message>
    <message>
        <source>The server closed the connection.</source>
        <translation>Der Server hat die Verbindung geschlossen.</translation>
    </message>
    <message>
        <source>The replay was stopped before it started.</source>
        <translation>Die Wiedergabe wurde gestoppt, bevor sie begann.</translation>
    </message>
    <message>
        <source>The new responses are accepted as the baseline.</source>
        <translation>Die neuen Antworten sind als Referenz übernommen.</translation>
    </message>
    <message>
        <source>The replay has not finished.</source>
        <translation>Die Wiedergabe ist nicht abgeschlossen.</translation>
    </message>
    <message>
        <source>No calls were made.</source>
        <translation>Es wurden keine Aufrufe ausgeführt.</translation>
    </message>
    <message>
        <source>The session is damaged; the unreadable part would be lost.</source>
        <translation>Die Sitzung ist beschädigt; der nicht lesbare Teil ginge verloren.</translation>
    </message>
    <message>
        <source>Only some of the calls were made; a baseline needs all of them.</source>
        <translation>Nur einige der Aufrufe wurden ausgeführt; eine Referenz braucht alle.</translation>
    </message>
    <message>
        <source>%1 records of this run were not stored. A session of no more than %2 bytes is recorded now.</source>
        <translation>%1 Einträge dieses Laufs wurden nicht gespeichert. Eine Sitzung von höchstens %2 Bytes wird jetzt aufgezeichnet.</translation>
    </message>
    <message>
        <source>Not every call with a recorded response got a response now.</source>
        <translation>Nicht jeder Aufruf mit aufgezeichneter Antwort erhielt jetzt eine Antwort.</translation>
    </message>
    <message>
        <source>The session is still being recorded; only a finished session can be replaced.</source>
        <translation>Die Sitzung wird noch aufgezeichnet; nur eine abgeschlossene Sitzung kann ersetzt werden.</translation>
    </message>
    <message>
        <source>The new responses could not be recorded.</source>
        <translation>Die neuen Antworten konnten nicht aufgezeichnet werden.</translation>
    </message>
    <message>
        <source>The server is still shutting down.</source>
        <translation>Der Server wird noch heruntergefahren.</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>Nicht genug Arbeitsspeicher.</translation>
    </message>
</context>
<context>
    <name>sonde::Replayer</name>
    <message>
        <source>Not sent: the server did not start. %1</source>
        <translation>Nicht gesendet: Der Server ist nicht gestartet. %1</translation>
    </message>
    <message>
        <source>Not sent: the server could not be reached. %1</source>
        <translation>Nicht gesendet: Der Server war nicht erreichbar. %1</translation>
    </message>
    <message>
        <source>The connection to the server was lost: %1</source>
        <translation>Die Verbindung zum Server ging verloren: %1</translation>
    </message>
    <message>
        <source>The connection to the server is closed.</source>
        <translation>Die Verbindung zum Server ist geschlossen.</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>Es wurde keine Antwort aufgezeichnet.</translation>
    </message>
    <message>
        <source>The tool may change or delete data; it was not allowed to run.</source>
        <translation>Das Tool kann Daten ändern oder löschen; es durfte nicht ausgeführt werden.</translation>
    </message>
    <message>
        <source>Skipped by you.</source>
        <translation>Von Ihnen übersprungen.</translation>
    </message>
    <message>
        <source>The recorded request contains a redacted secret and cannot be sent again.</source>
        <translation>Die aufgezeichnete Anfrage enthält ein geschwärztes Geheimnis und kann nicht erneut gesendet werden.</translation>
    </message>
    <message>
        <source>The list now has fewer pages.</source>
        <translation>Die Liste hat jetzt weniger Seiten.</translation>
    </message>
    <message>
        <source>The connection&apos;s own handshake was not recorded.</source>
        <translation>Der eigene Handshake der Verbindung wurde nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>The replay was stopped.</source>
        <translation>Die Wiedergabe wurde gestoppt.</translation>
    </message>
    <message>
        <source>Server request changed: %1</source>
        <translation>Server-Anfrage geändert: %1</translation>
    </message>
    <message>
        <source>New server request: %1</source>
        <translation>Neue Server-Anfrage: %1</translation>
    </message>
    <message>
        <source>Server request missing: %1</source>
        <translation>Server-Anfrage fehlt: %1</translation>
    </message>
    <message>
        <source>No response was sent; the recorded one contains a redacted secret: %1</source>
        <translation>Keine Antwort gesendet; die aufgezeichnete enthält ein geschwärztes Geheimnis: %1</translation>
    </message>
    <message>
        <source>There are more differences.</source>
        <translation>Es gibt weitere Unterschiede.</translation>
    </message>
</context>
<context>
    <name>sonde::Revocation</name>
    <message>
        <source>Revoked at %1</source>
        <translation>Widerrufen bei %1</translation>
    </message>
    <message>
        <source>%1 does not offer revocation; the tokens remain valid there until they expire</source>
        <translation>%1 bietet keinen Widerruf; die Token bleiben dort gültig, bis sie ablaufen</translation>
    </message>
    <message>
        <source>The tokens were not revoked. %1</source>
        <translation>Die Token wurden nicht widerrufen. %1</translation>
    </message>
    <message>
        <source>They remain valid at the authorization server until they expire.</source>
        <translation>Sie bleiben beim Autorisierungsserver gültig, bis sie ablaufen.</translation>
    </message>
</context>
<context>
    <name>sonde::SavedCall</name>
    <message>
        <source>The folder %1 cannot be read.</source>
        <translation>Der Ordner %1 kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>%1 has more saved calls than are shown.</source>
        <translation>%1 hat mehr gespeicherte Aufrufe, als angezeigt werden.</translation>
    </message>
    <message>
        <source>“%1” was not imported: %2</source>
        <translation>„%1“ wurde nicht importiert: %2</translation>
    </message>
    <message>
        <source>it has no JSON as its body.</source>
        <translation>der Body ist kein JSON.</translation>
    </message>
    <message>
        <source>Only the first %1 folders and requests were read.</source>
        <translation>Nur die ersten %1 Ordner und Anfragen wurden gelesen.</translation>
    </message>
    <message>
        <source>Set these environment variables before running them: %1.</source>
        <translation>Vor dem Ausführen diese Umgebungsvariablen setzen: %1.</translation>
    </message>
    <message>
        <source>Scripts, such as tests, are not imported.</source>
        <translation>Skripte, etwa Tests, werden nicht importiert.</translation>
    </message>
    <message>
        <source>%1 is an MCP client of Insomnia, which has no calls in it.</source>
        <translation>%1 ist ein MCP-Client von Insomnia, der keine Aufrufe enthält.</translation>
    </message>
    <message>
        <source>%1 is YAML.</source>
        <translation>%1 ist YAML.</translation>
    </message>
    <message>
        <source>Export it as JSON: Insomnia 4, or a Postman collection 2.1.</source>
        <translation>Als JSON exportieren: Insomnia 4 oder eine Postman-Sammlung 2.1.</translation>
    </message>
    <message>
        <source>%1 is not JSON.</source>
        <translation>%1 ist kein JSON.</translation>
    </message>
    <message>
        <source>“%1” has what looks like a secret in its arguments: put ${env:NAME} or ${keychain:NAME} in its place before you share the file.</source>
        <translation>„%1“ enthält in seinen Argumenten etwas, das wie ein Geheimnis aussieht: ${env:NAME} oder ${keychain:NAME} dafür einsetzen, bevor Sie die Datei weitergeben.</translation>
    </message>
    <message>
        <source>%1 is a list of servers, without calls.</source>
        <translation>%1 ist eine Serverliste ohne Aufrufe.</translation>
    </message>
    <message>
        <source>Import it as servers.</source>
        <translation>Als Server importieren.</translation>
    </message>
    <message>
        <source>Collections of Postman, Insomnia and Hoppscotch, and what MCP Inspector exports, can be read.</source>
        <translation>Gelesen werden können Sammlungen von Postman, Insomnia und Hoppscotch sowie Exporte von MCP Inspector.</translation>
    </message>
    <message>
        <source>The error is not the expected one</source>
        <translation>Der Fehler ist nicht der erwartete</translation>
    </message>
    <message>
        <source>The result differs from the expected one</source>
        <translation>Das Ergebnis ist nicht das erwartete</translation>
    </message>
    <message>
        <source>No response: %1</source>
        <translation>Keine Antwort: %1</translation>
    </message>
    <message>
        <source>Expected %1, got %2</source>
        <translation>Erwartet: %1, erhalten: %2</translation>
    </message>
    <message>
        <source>Took %1 ms, expected at most %2 ms</source>
        <translation>Dauerte %1 ms, erwartet: höchstens %2 ms</translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation>Nicht gesendet: %1</translation>
    </message>
    <message>
        <source>There are more differences.</source>
        <translation>Es gibt weitere Unterschiede.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a placeholder</source>
        <translation>&apos;%1&apos; ist kein Platzhalter</translation>
    </message>
    <message>
        <source>Placeholders are ${keychain:NAME}, ${env:NAME} and ${calls.NAME.result/POINTER}. To send the text as it is, write $${ instead of ${.</source>
        <translation>Platzhalter sind ${keychain:NAME}, ${env:NAME} und ${calls.NAME.result/POINTER}. Um den Text unverändert zu senden, $${ statt ${ schreiben.</translation>
    </message>
    <message>
        <source>%1, line %2 is not JSON: %3</source>
        <translation>%1, Zeile %2 ist kein JSON: %3</translation>
    </message>
    <message>
        <source>%1 is not a saved call: it is not a JSON object.</source>
        <translation>%1 ist kein gespeicherter Aufruf: Es ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a string that is not empty.</source>
        <translation>&apos;%1&apos; muss eine nicht leere Zeichenkette sein.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be the name of a saved call.</source>
        <translation>&apos;%1&apos; kann nicht der Name eines gespeicherten Aufrufs sein.</translation>
    </message>
    <message>
        <source>A name is not empty and has none of / { } in it.</source>
        <translation>Ein Name ist nicht leer und enthält keines von / { }.</translation>
    </message>
    <message>
        <source>&apos;tool&apos; is missing.</source>
        <translation>&apos;tool&apos; fehlt.</translation>
    </message>
    <message>
        <source>A saved call has the name of a tool, such as &quot;tool&quot;: &quot;search&quot;.</source>
        <translation>Ein gespeicherter Aufruf enthält den Namen eines Tools, etwa &quot;tool&quot;: &quot;search&quot;.</translation>
    </message>
    <message>
        <source>&apos;arguments&apos; must be an object.</source>
        <translation>&apos;arguments&apos; muss ein Objekt sein.</translation>
    </message>
    <message>
        <source>&apos;expect&apos; must be an object.</source>
        <translation>&apos;expect&apos; muss ein Objekt sein.</translation>
    </message>
    <message>
        <source>A protocol error has no result.</source>
        <translation>Ein Protokollfehler hat kein Ergebnis.</translation>
    </message>
    <message>
        <source>Write &quot;error&quot; instead of &quot;result&quot;, or another outcome.</source>
        <translation>&quot;error&quot; statt &quot;result&quot; oder einen anderen Ausgang schreiben.</translation>
    </message>
    <message>
        <source>&apos;error&apos; needs the outcome protocol-error.</source>
        <translation>&apos;error&apos; braucht den Ausgang protocol-error.</translation>
    </message>
    <message>
        <source>Add &quot;outcome&quot;: &quot;protocol-error&quot;.</source>
        <translation>&quot;outcome&quot;: &quot;protocol-error&quot; hinzufügen.</translation>
    </message>
    <message>
        <source>&apos;maxDurationMs&apos; must be a whole number of milliseconds above 0.</source>
        <translation>&apos;maxDurationMs&apos; muss eine ganze Zahl von Millisekunden über 0 sein.</translation>
    </message>
    <message>
        <source>&apos;outcome&apos; must be ok, tool-error or protocol-error.</source>
        <translation>&apos;outcome&apos; muss ok, tool-error oder protocol-error sein.</translation>
    </message>
    <message>
        <source>%1 is larger than the %2 MiB that a saved call may have.</source>
        <translation>%1 ist größer als die %2 MiB, die ein gespeicherter Aufruf haben darf.</translation>
    </message>
    <message>
        <source>Enter a name.</source>
        <translation>Einen Namen eingeben.</translation>
    </message>
    <message>
        <source>A name has none of / { } in it and does not begin with a dot.</source>
        <translation>Ein Name enthält keines von / { } und beginnt nicht mit einem Punkt.</translation>
    </message>
    <message>
        <source>The name is too long.</source>
        <translation>Der Name ist zu lang.</translation>
    </message>
    <message>
        <source>a result</source>
        <translation>ein Ergebnis</translation>
    </message>
    <message>
        <source>a tool error</source>
        <translation>ein Tool-Fehler</translation>
    </message>
    <message>
        <source>a protocol error</source>
        <translation>ein Protokollfehler</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>%1: %2 needs the result of the saved call &apos;%3&apos;, which is not run before it.</source>
        <translation>%1: %2 braucht das Ergebnis des gespeicherten Aufrufs &apos;%3&apos;, der nicht vorher ausgeführt wird.</translation>
    </message>
    <message>
        <source>Run it in the same command, in a file before this one.</source>
        <translation>Im selben Befehl ausführen, in einer Datei vor dieser.</translation>
    </message>
    <message>
        <source>%1 and %2 are both named &apos;%3&apos;.</source>
        <translation>%1 und %2 heißen beide &apos;%3&apos;.</translation>
    </message>
    <message>
        <source>Give each its own &quot;name&quot;.</source>
        <translation>Jedem einen eigenen &quot;name&quot; geben.</translation>
    </message>
    <message>
        <source>its body is not a JSON object.</source>
        <translation>der Body ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>its body is not a JSON-RPC request.</source>
        <translation>der Body ist keine JSON-RPC-Anfrage.</translation>
    </message>
    <message>
        <source>%1 is not a tool call.</source>
        <translation>%1 ist kein Tool-Aufruf.</translation>
    </message>
    <message>
        <source>it is not an HTTP request.</source>
        <translation>es ist keine HTTP-Anfrage.</translation>
    </message>
    <message>
        <source>1 other message is not a tool call.</source>
        <translation>1 andere Nachricht ist kein Tool-Aufruf.</translation>
    </message>
    <message>
        <source>%1 other messages are not tool calls.</source>
        <translation>%1 andere Nachrichten sind keine Tool-Aufrufe.</translation>
    </message>
    <message>
        <source>%1 is not an export with tool calls.</source>
        <translation>%1 ist kein Export mit Tool-Aufrufen.</translation>
    </message>
</context>
<context>
    <name>sonde::Secrets</name>
    <message>
        <source>Access to the keychain was refused.</source>
        <translation>Der Zugriff auf den Schlüsselbund wurde verweigert.</translation>
    </message>
    <message>
        <source>Sonde could not unlock the keychain.</source>
        <translation>Sonde konnte den Schlüsselbund nicht entsperren.</translation>
    </message>
    <message>
        <source>There is no keychain on this computer.</source>
        <translation>Auf diesem Computer gibt es keinen Schlüsselbund.</translation>
    </message>
    <message>
        <source>The keychain cannot be used.</source>
        <translation>Der Schlüsselbund kann nicht verwendet werden.</translation>
    </message>
    <message>
        <source>Unlock the keychain, or start a service that provides one, such as GNOME Keyring or KWallet.</source>
        <translation>Den Schlüsselbund entsperren oder einen Dienst starten, der einen bereitstellt, etwa GNOME Keyring oder KWallet.</translation>
    </message>
    <message>
        <source>The keychain did not respond in time.</source>
        <translation>Der Schlüsselbund hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source>It may be waiting for its password in another window.</source>
        <translation>Eventuell wartet er in einem anderen Fenster auf sein Passwort.</translation>
    </message>
    <message>
        <source>The keychain has no value named “%1”.</source>
        <translation>Der Schlüsselbund hat keinen Wert namens „%1“.</translation>
    </message>
    <message>
        <source>Enter the value again in this server&apos;s settings, and unlock the keychain.</source>
        <translation>Den Wert in den Einstellungen dieses Servers erneut eingeben und den Schlüsselbund entsperren.</translation>
    </message>
</context>
<context>
    <name>sonde::Server</name>
    <message>
        <source>The last argument is not a JSON object.</source>
        <translation>Das letzte Argument ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>The option %1 has no value.</source>
        <translation>Die Option %1 hat keinen Wert.</translation>
    </message>
    <message>
        <source>Unknown option %1. Put “--” before the command of the server.</source>
        <translation>Unbekannte Option %1. „--“ vor den Befehl des Servers setzen.</translation>
    </message>
    <message>
        <source>“%1” is not a port.</source>
        <translation>„%1“ ist kein Port.</translation>
    </message>
    <message>
        <source>“%1” is not NAME=value.</source>
        <translation>„%1“ ist nicht NAME=Wert.</translation>
    </message>
    <message>
        <source>“%1” is not a header: Name: value.</source>
        <translation>„%1“ ist kein Header: Name: Wert.</translation>
    </message>
    <message>
        <source>The command does not say which server to add, or how to start it.</source>
        <translation>Der Befehl sagt nicht, welcher Server hinzugefügt oder wie er gestartet werden soll.</translation>
    </message>
    <message>
        <source>“%1” after the URL is not understood.</source>
        <translation>„%1“ nach der URL wird nicht verstanden.</translation>
    </message>
    <message>
        <source>The text contains several commands that add a server.</source>
        <translation>Der Text enthält mehrere Befehle, die einen Server hinzufügen.</translation>
    </message>
    <message>
        <source>Enter one command at a time.</source>
        <translation>Jeweils nur einen Befehl eingeben.</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
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
        <translation>Header</translation>
    </message>
    <message>
        <source>Sign-in: %1</source>
        <translation>Anmeldung: %1</translation>
    </message>
    <message>
        <source>Network: %1</source>
        <translation>Netzwerk: %1</translation>
    </message>
    <message>
        <source>all of Sonde&apos;s own variables</source>
        <translation>alle eigenen Variablen von Sonde</translation>
    </message>
    <message>
        <source>PATH of the login shell</source>
        <translation>PATH der Login-Shell</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>now, with another secret</source>
        <translation>jetzt, mit anderem Geheimnis</translation>
    </message>
    <message>
        <source>another secret than before</source>
        <translation>anderes Geheimnis als zuvor</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>The approval cannot be remembered. %1</source>
        <translation>Die Freigabe kann nicht gemerkt werden. %1</translation>
    </message>
    <message>
        <source>Sonde asks again at the next start.</source>
        <translation>Sonde fragt beim nächsten Start erneut.</translation>
    </message>
    <message>
        <source>Inherits</source>
        <translation>Erbt</translation>
    </message>
    <message>
        <source>Sonde&apos;s full environment</source>
        <translation>Sondes gesamte Umgebung</translation>
    </message>
    <message>
        <source>PATH</source>
        <translation>PATH</translation>
    </message>
    <message>
        <source>that of the login shell</source>
        <translation>den der Login-Shell</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>CA file</source>
        <translation>CA-Datei</translation>
    </message>
    <message>
        <source>Client certificate</source>
        <translation>Client-Zertifikat</translation>
    </message>
    <message>
        <source>Client key</source>
        <translation>Client-Schlüssel</translation>
    </message>
    <message>
        <source>Trusts certificate</source>
        <translation>Vertraut Zertifikat</translation>
    </message>
    <message>
        <source>Allowed host</source>
        <translation>Erlaubter Host</translation>
    </message>
    <message>
        <source>Root</source>
        <translation>Root</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>Revision</translation>
    </message>
    <message>
        <source>Not declared</source>
        <translation>Nicht deklariert</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>one page at a time</source>
        <translation>seitenweise</translation>
    </message>
    <message>
        <source>Issuer</source>
        <translation>Aussteller</translation>
    </message>
    <message>
        <source>Client ID</source>
        <translation>Client-ID</translation>
    </message>
    <message>
        <source>Client secret</source>
        <translation>Client-Geheimnis</translation>
    </message>
    <message>
        <source>Redirect URL</source>
        <translation>Redirect-URL</translation>
    </message>
    <message>
        <source>Client metadata</source>
        <translation>Client-Metadaten</translation>
    </message>
    <message>
        <source>Private key</source>
        <translation>Privater Schlüssel</translation>
    </message>
    <message>
        <source>Key algorithm</source>
        <translation>Schlüsselalgorithmus</translation>
    </message>
    <message>
        <source>Token URL</source>
        <translation>Token-URL</translation>
    </message>
    <message>
        <source>Provider client ID</source>
        <translation>Client-ID des Anbieters</translation>
    </message>
    <message>
        <source>ID token</source>
        <translation>ID-Token</translation>
    </message>
    <message>
        <source>Assertion</source>
        <translation>Assertion</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>Transport</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Kept, but not used by Sonde: %1.</source>
        <translation>Behalten, aber von Sonde nicht verwendet: %1.</translation>
    </message>
    <message>
        <source>Left out, since Sonde does not use them: the secrets in %1.</source>
        <translation>Ausgelassen, da Sonde sie nicht verwendet: die Geheimnisse in %1.</translation>
    </message>
    <message>
        <source>The entry is not a JSON object.</source>
        <translation>Der Eintrag ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>Given more than once; the last one counts: %1.</source>
        <translation>Mehrfach angegeben; die letzte Angabe zählt: %1.</translation>
    </message>
    <message>
        <source>A Zed extension starts this server; the file does not say how.</source>
        <translation>Eine Zed-Erweiterung startet diesen Server; die Datei sagt nicht, wie.</translation>
    </message>
    <message>
        <source>“envFile” is not read. Add the variables that the server needs.</source>
        <translation>„envFile“ wird nicht gelesen. Die vom Server benötigten Variablen hinzufügen.</translation>
    </message>
    <message>
        <source>Codex passes on the variables of “env_vars”. Add those that the server needs.</source>
        <translation>Codex gibt die Variablen aus „env_vars“ weiter. Die vom Server benötigten hinzufügen.</translation>
    </message>
    <message>
        <source>Not taken over: the reference to Sonde&apos;s keychain in %1. Only Sonde itself writes such references; enter the value.</source>
        <translation>Nicht übernommen: der Verweis auf Sondes Schlüsselbund in %1. Solche Verweise schreibt nur Sonde selbst; den Wert eingeben.</translation>
    </message>
    <message>
        <source>%1 in %2 is read from Sonde&apos;s environment when the server starts.</source>
        <translation>%1 in %2 wird beim Start des Servers aus Sondes Umgebung gelesen.</translation>
    </message>
    <message>
        <source>%1 in %2 is not replaced by Sonde. Enter the value before you connect.</source>
        <translation>%1 in %2 wird von Sonde nicht ersetzt. Den Wert vor dem Verbinden eingeben.</translation>
    </message>
    <message>
        <source> It stands for: %1</source>
        <translation> Es steht für: %1</translation>
    </message>
    <message>
        <source>An argument, the URL or the proxy contains a secret. It is saved in the list of servers as plain text.</source>
        <translation>Ein Argument, die URL oder der Proxy enthält ein Geheimnis. Es wird in der Serverliste im Klartext gespeichert.</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>Der Text</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1 ist leer.</translation>
    </message>
    <message>
        <source>%1 is not valid %2 at line %3, column %4: %5</source>
        <translation>%1 ist kein gültiges %2 in Zeile %3, Spalte %4: %5</translation>
    </message>
    <message>
        <source> (in the entry “%1”)</source>
        <translation> (im Eintrag „%1“)</translation>
    </message>
    <message>
        <source>Fix it in the program that uses it, then import it again.</source>
        <translation>In dem Programm korrigieren, das es verwendet, dann erneut importieren.</translation>
    </message>
    <message>
        <source>The link does not describe a server.</source>
        <translation>Der Link beschreibt keinen Server.</translation>
    </message>
    <message>
        <source>Line %1, column %2: a comment or a trailing comma, which %3 does not accept.</source>
        <translation>Zeile %1, Spalte %2: ein Kommentar oder ein überzähliges Komma am Ende, das %3 nicht akzeptiert.</translation>
    </message>
    <message>
        <source>Disabled in this file.</source>
        <translation>In dieser Datei deaktiviert.</translation>
    </message>
    <message>
        <source>Disabled in %1.</source>
        <translation>In %1 deaktiviert.</translation>
    </message>
    <message>
        <source>%1 describes more than %2 servers.</source>
        <translation>%1 beschreibt mehr als %2 Server.</translation>
    </message>
    <message>
        <source>The text describes no servers.</source>
        <translation>Der Text beschreibt keine Server.</translation>
    </message>
    <message>
        <source>Paste a command, a URL, an “mcpServers” object, or the content of a host&apos;s configuration file.</source>
        <translation>Einen Befehl, eine URL, ein „mcpServers“-Objekt oder den Inhalt der Konfigurationsdatei eines Hosts einfügen.</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>Eingefügter Text</translation>
    </message>
    <message>
        <source>Every user of this computer can read %1, and it contains %2. Make it readable by you only (chmod 600).</source>
        <translation>Jeder Benutzer dieses Computers kann %1 lesen, und die Datei enthält %2. Nur für Sie lesbar machen (chmod 600).</translation>
    </message>
    <message>
        <source>1 secret</source>
        <translation>1 Geheimnis</translation>
    </message>
    <message>
        <source>%1 secrets</source>
        <translation>%1 Geheimnisse</translation>
    </message>
    <message>
        <source>the command</source>
        <translation>dem Befehl</translation>
    </message>
    <message>
        <source>argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message>
        <source>the working directory</source>
        <translation>dem Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>the variable %1</source>
        <translation>der Variablen %1</translation>
    </message>
    <message>
        <source>the URL</source>
        <translation>der URL</translation>
    </message>
    <message>
        <source>the header %1</source>
        <translation>dem Header %1</translation>
    </message>
    <message>
        <source>the client ID</source>
        <translation>der Client-ID</translation>
    </message>
    <message>
        <source>the client secret</source>
        <translation>dem Client-Geheimnis</translation>
    </message>
    <message>
        <source>“oauth”</source>
        <translation>„oauth“</translation>
    </message>
    <message>
        <source>%1 (Sonde&apos;s own)</source>
        <translation>%1 (Sondes eigener)</translation>
    </message>
    <message>
        <source>%1 (set for this server)</source>
        <translation>%1 (für diesen Server gesetzt)</translation>
    </message>
    <message>
        <source>read from your login shell when the server starts</source>
        <translation>wird beim Start des Servers aus Ihrer Login-Shell gelesen</translation>
    </message>
    <message>
        <source>%1 (your login shell&apos;s)</source>
        <translation>%1 (der Ihrer Login-Shell)</translation>
    </message>
    <message>
        <source>set for this server: %1</source>
        <translation>für diesen Server gesetzt: %1</translation>
    </message>
    <message>
        <source>and 1 other variable of Sonde&apos;s</source>
        <translation>und 1 weitere Variable von Sonde</translation>
    </message>
    <message>
        <source>and %1 other variables of Sonde&apos;s</source>
        <translation>und %1 weitere Variablen von Sonde</translation>
    </message>
    <message>
        <source>It does not start by itself at this URL: start the package %1 first.</source>
        <translation>Unter dieser URL startet er nicht von selbst: zuerst das Paket %1 starten.</translation>
    </message>
    <message>
        <source>Optional and left out: %1.</source>
        <translation>Optional und ausgelassen: %1.</translation>
    </message>
    <message>
        <source>Optional and left out: %1 (%2)</source>
        <translation>Optional und ausgelassen: %1 (%2)</translation>
    </message>
    <message>
        <source>A package of the type “%1” cannot be started by Sonde. Install %2 and enter its command.</source>
        <translation>Ein Paket vom Typ „%1“ kann Sonde nicht starten. %2 installieren und seinen Befehl eingeben.</translation>
    </message>
    <message>
        <source>remote</source>
        <translation>remote</translation>
    </message>
    <message>
        <source>remote %1</source>
        <translation>remote %1</translation>
    </message>
    <message>
        <source>%1 is not valid JSON at line %2, column %3: %4</source>
        <translation>%1 ist kein gültiges JSON in Zeile %2, Spalte %3: %4</translation>
    </message>
    <message>
        <source>The file was not changed. Fix it, or move it away.</source>
        <translation>Die Datei wurde nicht geändert. Korrigieren oder verschieben.</translation>
    </message>
    <message>
        <source>expected a JSON object.</source>
        <translation>es wird ein JSON-Objekt erwartet.</translation>
    </message>
    <message>
        <source>“mcpServers” is not an object.</source>
        <translation>„mcpServers“ ist kein Objekt.</translation>
    </message>
    <message>
        <source>This looks like JSON but is invalid: %1.</source>
        <translation>Das sieht wie JSON aus, ist aber ungültig: %1.</translation>
    </message>
    <message>
        <source>The pasted JSON describes %1 servers. Import them with “Import…”, or add one at a time.</source>
        <translation>Das eingefügte JSON beschreibt %1 Server. Sie mit „Importieren …“ importieren oder einzeln hinzufügen.</translation>
    </message>
    <message>
        <source>“%1” is not a valid header name.</source>
        <translation>„%1“ ist kein gültiger Header-Name.</translation>
    </message>
    <message>
        <source>The header “%1” is set by Sonde itself.</source>
        <translation>Den Header „%1“ setzt Sonde selbst.</translation>
    </message>
    <message>
        <source>The header “%1” contains a line break or another control character.</source>
        <translation>Der Header „%1“ enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.</translation>
    </message>
    <message>
        <source>The header “%1” contains characters that a header cannot carry.</source>
        <translation>Der Header „%1“ enthält Zeichen, die in einem Header nicht möglich sind.</translation>
    </message>
    <message>
        <source>No URL is given.</source>
        <translation>Es ist keine URL angegeben.</translation>
    </message>
    <message>
        <source>The URL has no scheme; it must begin with https:// or http://.</source>
        <translation>Die URL hat kein Schema; sie muss mit https:// oder http:// beginnen.</translation>
    </message>
    <message>
        <source>The URL must begin with https:// or http://, not %1:.</source>
        <translation>Die URL muss mit https:// oder http:// beginnen, nicht mit %1:.</translation>
    </message>
    <message>
        <source>The URL has no host.</source>
        <translation>Die URL hat keinen Host.</translation>
    </message>
    <message>
        <source>The root “%1” is not the absolute path of a folder, nor a file:// URI.</source>
        <translation>Der Root „%1“ ist weder der absolute Pfad eines Ordners noch eine file://-URI.</translation>
    </message>
    <message>
        <source>No command is given.</source>
        <translation>Es ist kein Befehl angegeben.</translation>
    </message>
    <message>
        <source>The command line contains a NUL character.</source>
        <translation>Die Befehlszeile enthält ein NUL-Zeichen.</translation>
    </message>
    <message>
        <source>“%1” is not a valid environment variable name.</source>
        <translation>„%1“ ist kein gültiger Name einer Umgebungsvariablen.</translation>
    </message>
    <message>
        <source>The environment variable “%1” contains a NUL character.</source>
        <translation>Die Umgebungsvariable „%1“ enthält ein NUL-Zeichen.</translation>
    </message>
    <message>
        <source>“%1” is passed as is: no shell is used. Use sh -c &apos;…&apos; if you need a shell.</source>
        <translation>„%1“ wird unverändert übergeben: Es wird keine Shell verwendet. Falls eine Shell nötig ist, sh -c &apos;…&apos; verwenden.</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Nothing runs until you click Connect.</source>
        <translation>Nichts wird ausgeführt, bis Sie auf „Verbinden“ klicken.</translation>
    </message>
    <message>
        <source>Asks your login shell for its PATH, and runs the “%1” that is found there.</source>
        <translation>Fragt Ihre Login-Shell nach ihrem PATH und führt das dort gefundene „%1“ aus.</translation>
    </message>
    <message>
        <source>The working directory %1 does not exist.</source>
        <translation>Das Arbeitsverzeichnis %1 existiert nicht.</translation>
    </message>
    <message>
        <source>Runs %1 without arguments in %2.</source>
        <translation>Führt %1 ohne Argumente in %2 aus.</translation>
    </message>
    <message>
        <source>Runs %1 with 1 argument in %2.</source>
        <translation>Führt %1 mit 1 Argument in %2 aus.</translation>
    </message>
    <message>
        <source>Runs %1 with %2 arguments in %3.</source>
        <translation>Führt %1 mit %2 Argumenten in %3 aus.</translation>
    </message>
    <message>
        <source>Connects to %1.</source>
        <translation>Verbindet mit %1.</translation>
    </message>
    <message>
        <source>Connects to %1 with 1 custom header.</source>
        <translation>Verbindet mit %1 mit 1 eigenen Header.</translation>
    </message>
    <message>
        <source>Connects to %1 with %2 custom headers.</source>
        <translation>Verbindet mit %1 mit %2 eigenen Headern.</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Connect.</source>
        <translation>Nichts wird gesendet, bis Sie auf „Verbinden“ klicken.</translation>
    </message>
    <message>
        <source>Nothing was entered.</source>
        <translation>Es wurde nichts eingegeben.</translation>
    </message>
    <message>
        <source>Enter a command line or URL.</source>
        <translation>Eine Befehlszeile oder URL eingeben.</translation>
    </message>
    <message>
        <source>Not a valid URL: %1.</source>
        <translation>Keine gültige URL: %1.</translation>
    </message>
    <message>
        <source>The line sets environment variables but contains no command.</source>
        <translation>Die Zeile setzt Umgebungsvariablen, enthält aber keinen Befehl.</translation>
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
        <translation>Revision %1 funktioniert nicht über HTTP+SSE. Einen anderen Transport oder eine andere Revision wählen.</translation>
    </message>
    <message>
        <source>“%1” is not the absolute path of a file.</source>
        <translation>„%1“ ist nicht der absolute Pfad einer Datei.</translation>
    </message>
    <message>
        <source>There is a client key, but no client certificate.</source>
        <translation>Es gibt einen Client-Schlüssel, aber kein Client-Zertifikat.</translation>
    </message>
    <message>
        <source>“%1” is not a SHA-256 fingerprint, which has 64 hexadecimal digits.</source>
        <translation>„%1“ ist kein SHA-256-Fingerabdruck; dieser hat 64 Hexadezimalziffern.</translation>
    </message>
    <message>
        <source>“%1” is not the name of a host.</source>
        <translation>„%1“ ist kein Hostname.</translation>
    </message>
    <message>
        <source> The root %1 is not a folder.</source>
        <translation> Der Root %1 ist kein Ordner.</translation>
    </message>
    <message>
        <source>“%1” is not a string.</source>
        <translation>„%1“ ist keine Zeichenkette.</translation>
    </message>
    <message>
        <source>“args” is not a list of strings.</source>
        <translation>„args“ ist keine Liste von Zeichenketten.</translation>
    </message>
    <message>
        <source>Argument %1 of “args” is not a string.</source>
        <translation>Argument %1 von „args“ ist keine Zeichenkette.</translation>
    </message>
    <message>
        <source>“%1” is not an object of strings.</source>
        <translation>„%1“ ist kein Objekt mit Zeichenketten.</translation>
    </message>
    <message>
        <source>“%1” of “%2” is not a string.</source>
        <translation>„%1“ von „%2“ ist keine Zeichenkette.</translation>
    </message>
    <message>
        <source>“roots” is not a list of objects with a “uri”.</source>
        <translation>„roots“ ist keine Liste von Objekten mit einer „uri“.</translation>
    </message>
    <message>
        <source>Unknown “type” %1; use “stdio”, “http”, “streamable-http” or “sse”.</source>
        <translation>Unbekannter „type“ %1; möglich sind „stdio“, „http“, „streamable-http“ oder „sse“.</translation>
    </message>
    <message>
        <source>Unknown “revision” %1; use “automatic” or one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.</source>
        <translation>Unbekannte „revision“ %1; möglich ist „automatic“ oder eine von 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.</translation>
    </message>
    <message>
        <source>“%1” is not a valid URL: %2</source>
        <translation>„%1“ ist keine gültige URL: %2</translation>
    </message>
    <message>
        <source>Unknown “grant” %1 of “oauth”; use “authorization_code”, “client_credentials”, “enterprise” or “workload”.</source>
        <translation>Unbekannter „grant“ %1 von „oauth“; möglich sind „authorization_code“, „client_credentials“, „enterprise“ oder „workload“.</translation>
    </message>
    <message>
        <source>“%1” is given more than once; the last one counts.</source>
        <translation>„%1“ ist mehrfach angegeben; die letzte Angabe zählt.</translation>
    </message>
    <message>
        <source>The environment variable %1 is not set.</source>
        <translation>Die Umgebungsvariable %1 ist nicht gesetzt.</translation>
    </message>
    <message>
        <source>These environment variables are not set: %1.</source>
        <translation>Diese Umgebungsvariablen sind nicht gesetzt: %1.</translation>
    </message>
    <message>
        <source>The server&apos;s description refers to it as ${env:%1}.</source>
        <translation>Die Beschreibung des Servers verweist darauf als ${env:%1}.</translation>
    </message>
    <message>
        <source>a key with more than %1 parts.</source>
        <translation>ein Schlüssel mit mehr als %1 Teilen.</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>Zeitlimits</translation>
    </message>
    <message>
        <source>Ignored: “timeouts” is not an object.</source>
        <translation>Ignoriert: „timeouts“ ist kein Objekt.</translation>
    </message>
    <message>
        <source>Ignored: “%1” of “timeouts” is not a number of seconds from %2 to %3.</source>
        <translation>Ignoriert: „%1“ in „timeouts“ ist keine Anzahl von Sekunden von %2 bis %3.</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>ohne Limit</translation>
    </message>
    <message>
        <source>request %1</source>
        <translation>Anfrage %1</translation>
    </message>
    <message>
        <source>total %1</source>
        <translation>gesamt %1</translation>
    </message>
    <message>
        <source>connection %1</source>
        <translation>Verbindung %1</translation>
    </message>
</context>
<context>
    <name>sonde::ServerSnapshot</name>
    <message>
        <source>The session does not contain a successful handshake.</source>
        <translation>Die Sitzung enthält keinen erfolgreichen Handshake.</translation>
    </message>
</context>
<context>
    <name>sonde::ServerStart</name>
    <message>
        <source>not executable</source>
        <translation>nicht ausführbar</translation>
    </message>
    <message>
        <source>no such program</source>
        <translation>kein solches Programm</translation>
    </message>
    <message>
        <source>command not found</source>
        <translation>Befehl nicht gefunden</translation>
    </message>
    <message>
        <source>This server has not been approved with its current settings.</source>
        <translation>Dieser Server wurde mit seinen jetzigen Einstellungen nicht freigegeben.</translation>
    </message>
    <message>
        <source>Start it from the list of servers, where Sonde shows what it would run.</source>
        <translation>In der Serverliste starten; dort zeigt Sonde, was ausgeführt würde.</translation>
    </message>
    <message>
        <source>Waiting for your approval</source>
        <translation>Warten auf Ihre Freigabe</translation>
    </message>
    <message>
        <source>Waiting for the keychain</source>
        <translation>Warten auf den Schlüsselbund</translation>
    </message>
    <message>
        <source>%1 from the keychain</source>
        <translation>%1 aus dem Schlüsselbund</translation>
    </message>
    <message>
        <source>Asking the login shell for its PATH</source>
        <translation>Die Login-Shell wird nach ihrem PATH gefragt</translation>
    </message>
    <message>
        <source>“%1” did not exist when you were asked, but does now.</source>
        <translation>„%1“ existierte nicht, als Sie gefragt wurden, existiert aber jetzt.</translation>
    </message>
    <message>
        <source>Start the server again. Sonde asks before it runs.</source>
        <translation>Den Server erneut starten. Sonde fragt, bevor es ausgeführt wird.</translation>
    </message>
    <message>
        <source>%1, chosen in this server&apos;s settings</source>
        <translation>%1, in den Einstellungen dieses Servers gewählt</translation>
    </message>
    <message>
        <source>%1, which the server used before</source>
        <translation>%1, vom Server zuvor verwendet</translation>
    </message>
    <message>
        <source>%1, which is tried first</source>
        <translation>%1, wird zuerst versucht</translation>
    </message>
    <message>
        <source>Waiting for at most %1 s; servers that need a handshake may not respond</source>
        <translation>Warten für höchstens %1 s; Server, die einen Handshake brauchen, antworten eventuell nicht</translation>
    </message>
    <message>
        <source>Chosen in this server&apos;s settings.</source>
        <translation>In den Einstellungen dieses Servers gewählt.</translation>
    </message>
    <message>
        <source>HTTP+SSE servers always need a handshake.</source>
        <translation>HTTP+SSE-Server brauchen immer einen Handshake.</translation>
    </message>
    <message>
        <source>Remembered from %1: the server wants a handshake.</source>
        <translation>Gemerkt von %1: Der Server will einen Handshake.</translation>
    </message>
    <message>
        <source>Waiting for credentials</source>
        <translation>Warten auf Anmeldedaten</translation>
    </message>
    <message>
        <source>The server chose it; this server&apos;s settings say %1.</source>
        <translation>Vom Server gewählt; die Einstellungen dieses Servers sagen %1.</translation>
    </message>
</context>
<context>
    <name>sonde::ServerStore</name>
    <message>
        <source>A server named “%1” already exists.</source>
        <translation>Ein Server namens „%1“ existiert bereits.</translation>
    </message>
    <message>
        <source>Enter a name for the server.</source>
        <translation>Einen Namen für den Server eingeben.</translation>
    </message>
    <message>
        <source>No server named “%1”.</source>
        <translation>Kein Server namens „%1“.</translation>
    </message>
    <message>
        <source>server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>%1 is writable by every user of this computer, and it defines which programs Sonde starts.</source>
        <translation>%1 ist von jedem Benutzer dieses Computers beschreibbar und legt fest, welche Programme Sonde startet.</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
</context>
<context>
    <name>sonde::Session</name>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Not enough memory to read the rest.</source>
        <translation>Nicht genug Arbeitsspeicher, um den Rest zu lesen.</translation>
    </message>
</context>
<context>
    <name>sonde::SessionCheck</name>
    <message>
        <source>%1 (Findings of this kind so far: %2; further ones are mostly only counted.)</source>
        <translation>%1 (Bisherige Befunde dieser Art: %2; weitere werden meist nur gezählt.)</translation>
    </message>
    <message>
        <source>Response to %1</source>
        <translation>Antwort auf %1</translation>
    </message>
    <message>
        <source>%1, revision %2: %3</source>
        <translation>%1, Revision %2: %3</translation>
    </message>
</context>
<context>
    <name>sonde::SessionFile</name>
    <message>
        <source>Free some disk space; recording resumes automatically.</source>
        <translation>Speicherplatz freigeben; die Aufzeichnung wird automatisch fortgesetzt.</translation>
    </message>
    <message>
        <source>The session file &apos;%1&apos; could not be created: %2</source>
        <translation>Die Sitzungsdatei &apos;%1&apos; konnte nicht erstellt werden: %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; could not be opened: %2</source>
        <translation>&apos;%1&apos; konnte nicht geöffnet werden: %2</translation>
    </message>
    <message>
        <source>The session file could not be written: %1</source>
        <translation>Die Sitzungsdatei konnte nicht geschrieben werden: %1</translation>
    </message>
    <message>
        <source>The session file could not be flushed to disk: %1</source>
        <translation>Die Sitzungsdatei konnte nicht auf den Datenträger geschrieben werden: %1</translation>
    </message>
</context>
<context>
    <name>sonde::SessionHeader</name>
    <message>
        <source>Not a Sonde session file.</source>
        <translation>Keine Sonde-Sitzungsdatei.</translation>
    </message>
    <message>
        <source>This session has format version %1.</source>
        <translation>Diese Sitzung hat die Formatversion %1.</translation>
    </message>
    <message>
        <source>A newer version of Sonde is needed to read it.</source>
        <translation>Zum Lesen ist eine neuere Version von Sonde nötig.</translation>
    </message>
</context>
<context>
    <name>sonde::SessionLibrary</name>
    <message>
        <source>&apos;%1&apos; is not a session in this folder; not deleted.</source>
        <translation>&apos;%1&apos; ist keine Sitzung in diesem Ordner; nicht gelöscht.</translation>
    </message>
    <message>
        <source>This session is still being recorded.</source>
        <translation>Diese Sitzung wird noch aufgezeichnet.</translation>
    </message>
    <message>
        <source>Disconnect first.</source>
        <translation>Zuerst die Verbindung trennen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; could not be deleted: %2</source>
        <translation>&apos;%1&apos; konnte nicht gelöscht werden: %2</translation>
    </message>
</context>
<context>
    <name>sonde::SessionNotes</name>
    <message>
        <source>Shorten the text.</source>
        <translation>Den Text kürzen.</translation>
    </message>
    <message>
        <source>The header of this session cannot be read.</source>
        <translation>Der Kopf dieser Sitzung kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>A name can have %1 characters.</source>
        <translation>Ein Name kann %1 Zeichen haben.</translation>
    </message>
    <message>
        <source>Notes can have %1 characters.</source>
        <translation>Notizen können %1 Zeichen haben.</translation>
    </message>
</context>
<context>
    <name>sonde::SessionReader</name>
    <message>
        <source>&apos;%1&apos; cannot be read.</source>
        <translation>&apos;%1&apos; kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>The header is damaged; its contents may be wrong.</source>
        <translation>Der Kopf ist beschädigt; sein Inhalt kann falsch sein.</translation>
    </message>
    <message>
        <source>The last record is incomplete.</source>
        <translation>Der letzte Eintrag ist unvollständig.</translation>
    </message>
    <message>
        <source>The record&apos;s length is invalid.</source>
        <translation>Die Länge des Eintrags ist ungültig.</translation>
    </message>
    <message>
        <source>The record is out of order.</source>
        <translation>Der Eintrag steht nicht in der richtigen Reihenfolge.</translation>
    </message>
    <message>
        <source>Read error.</source>
        <translation>Lesefehler.</translation>
    </message>
    <message>
        <source>The record is damaged.</source>
        <translation>Der Eintrag ist beschädigt.</translation>
    </message>
    <message>
        <source>From here on records are not in their order.</source>
        <translation>Ab hier stehen Einträge nicht in ihrer Reihenfolge.</translation>
    </message>
    <message>
        <source>Duplicate record.</source>
        <translation>Doppelter Eintrag.</translation>
    </message>
    <message>
        <source>Record %1 is missing.</source>
        <translation>Eintrag %1 fehlt.</translation>
    </message>
    <message>
        <source>Records %1 to %2 are missing.</source>
        <translation>Die Einträge %1 bis %2 fehlen.</translation>
    </message>
</context>
<context>
    <name>sonde::SessionRedactor</name>
    <message>
        <source>specified by you</source>
        <translation>von Ihnen angegeben</translation>
    </message>
    <message>
        <source>home directory</source>
        <translation>Home-Verzeichnis</translation>
    </message>
    <message>
        <source>redacted elsewhere in the session</source>
        <translation>anderswo in der Sitzung geschwärzt</translation>
    </message>
    <message>
        <source>one of many</source>
        <translation>eines von vielen</translation>
    </message>
    <message>
        <source>token or key format</source>
        <translation>Format eines Tokens oder Schlüssels</translation>
    </message>
    <message>
        <source>header, variable, URL or option</source>
        <translation>Header, Variable, URL oder Option</translation>
    </message>
    <message>
        <source>name in the text</source>
        <translation>Name im Text</translation>
    </message>
    <message>
        <source>redacted while recording</source>
        <translation>bei der Aufzeichnung geschwärzt</translation>
    </message>
</context>
<context>
    <name>sonde::Shape</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>item %1</source>
        <translation>Element %1</translation>
    </message>
    <message>
        <source>“%1” %2</source>
        <translation>„%1“ %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>schema too large</source>
        <translation>Schema zu groß</translation>
    </message>
    <message>
        <source>“%1” is not one of: %2</source>
        <translation>„%1“ ist keines von: %2</translation>
    </message>
    <message>
        <source>string</source>
        <translation>Zeichenkette</translation>
    </message>
    <message>
        <source>integer</source>
        <translation>Ganzzahl</translation>
    </message>
    <message>
        <source>number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>boolean</source>
        <translation>Boolean</translation>
    </message>
    <message>
        <source>1 choice</source>
        <translation>1 Auswahlwert</translation>
    </message>
    <message>
        <source>%1 choices</source>
        <translation>%1 Auswahlwerte</translation>
    </message>
    <message>
        <source>tuple</source>
        <translation>Tupel</translation>
    </message>
    <message>
        <source>list</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>object</source>
        <translation>Objekt</translation>
    </message>
    <message>
        <source>any JSON</source>
        <translation>JSON (beliebig)</translation>
    </message>
    <message>
        <source>option %1</source>
        <translation>Option %1</translation>
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
        <translation>Vielfaches von %1</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>max. %1</translation>
    </message>
    <message>
        <source>min %1</source>
        <translation>min. %1</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>tuple of %1</source>
        <translation>Tupel mit %1</translation>
    </message>
    <message>
        <source>tuples of %1</source>
        <translation>Tupeln mit %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>strings</source>
        <translation>Zeichenketten</translation>
    </message>
    <message>
        <source>%1 strings</source>
        <translation>%1-Zeichenketten</translation>
    </message>
    <message>
        <source>integers</source>
        <translation>Ganzzahlen</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>booleans</source>
        <translation>Booleans</translation>
    </message>
    <message>
        <source>choices</source>
        <translation>Auswahlwerten</translation>
    </message>
    <message>
        <source>no choices</source>
        <translation>keine Auswahlwerte</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>constants</source>
        <translation>Konstanten</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>Objekten</translation>
    </message>
    <message>
        <source>empty object</source>
        <translation>leeres Objekt</translation>
    </message>
    <message>
        <source>empty objects</source>
        <translation>leeren Objekten</translation>
    </message>
    <message>
        <source>map</source>
        <translation>Map</translation>
    </message>
    <message>
        <source>maps</source>
        <translation>Maps</translation>
    </message>
    <message>
        <source>map of %1</source>
        <translation>Map von %1</translation>
    </message>
    <message>
        <source>maps of %1</source>
        <translation>Maps von %1</translation>
    </message>
    <message>
        <source>lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>list of %1</source>
        <translation>Liste von %1</translation>
    </message>
    <message>
        <source>lists of %1</source>
        <translation>Listen von %1</translation>
    </message>
    <message>
        <source>any object</source>
        <translation>beliebiges Objekt</translation>
    </message>
    <message>
        <source>any list</source>
        <translation>beliebige Liste</translation>
    </message>
    <message>
        <source>no valid value</source>
        <translation>kein gültiger Wert</translation>
    </message>
    <message>
        <source>character</source>
        <translation>Zeichen</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>Zeichen</translation>
    </message>
    <message>
        <source>pattern %1</source>
        <translation>Muster %1</translation>
    </message>
    <message>
        <source>item</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>items</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>unique items</source>
        <translation>eindeutige Elemente</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>Standard %1</translation>
    </message>
    <message>
        <source>deprecated</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>%1, then %2</source>
        <translation>%1, dann %2</translation>
    </message>
</context>
<context>
    <name>sonde::SignIn</name>
    <message>
        <source>Server metadata</source>
        <translation>Servermetadaten</translation>
    </message>
    <message>
        <source>Authorization server</source>
        <translation>Autorisierungsserver</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>Client</translation>
    </message>
    <message>
        <source>Browser</source>
        <translation>Browser</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>Schlüsselbund</translation>
    </message>
    <message>
        <source>Revocation</source>
        <translation>Widerruf</translation>
    </message>
    <message>
        <source>Kept until Sonde is closed: %1</source>
        <translation>Bis zum Schließen von Sonde behalten: %1</translation>
    </message>
    <message>
        <source>Kept in the keychain</source>
        <translation>Im Schlüsselbund gespeichert</translation>
    </message>
    <message>
        <source>There is no metadata at the URL that the server gave: %1</source>
        <translation>Unter der vom Server angegebenen URL gibt es keine Metadaten: %1</translation>
    </message>
    <message>
        <source>None published; using the rules of 2025-03-26</source>
        <translation>Keine veröffentlicht; es gelten die Regeln von 2025-03-26</translation>
    </message>
    <message>
        <source>Protected by %1</source>
        <translation>Geschützt durch %1</translation>
    </message>
    <message>
        <source>The authorization server is neither https nor on this computer: %1</source>
        <translation>Der Autorisierungsserver ist weder https noch auf diesem Computer: %1</translation>
    </message>
    <message>
        <source>The authorization server %1 publishes no metadata.</source>
        <translation>Der Autorisierungsserver %1 veröffentlicht keine Metadaten.</translation>
    </message>
    <message>
        <source>None published; using the default paths of 2025-03-26</source>
        <translation>Keine veröffentlicht; es gelten die Standardpfade von 2025-03-26</translation>
    </message>
    <message>
        <source>The credentials are for %1, but the server is protected by %2.</source>
        <translation>Die Anmeldedaten sind für %1, aber der Server wird durch %2 geschützt.</translation>
    </message>
    <message>
        <source>If that is correct, change the issuer in this server&apos;s sign-in settings.</source>
        <translation>Falls das richtig ist, den Aussteller in den Anmeldeeinstellungen dieses Servers ändern.</translation>
    </message>
    <message>
        <source>If that is correct, sign out and sign in again.</source>
        <translation>Falls das richtig ist, abmelden und erneut anmelden.</translation>
    </message>
    <message>
        <source>The server&apos;s URL is not https, so tokens could be intercepted.</source>
        <translation>Die URL des Servers ist nicht https, daher könnten Token abgefangen werden.</translation>
    </message>
    <message>
        <source>Use an https URL, or add an Authorization header to its settings.</source>
        <translation>Eine https-URL verwenden oder einen Authorization-Header in den Einstellungen hinzufügen.</translation>
    </message>
    <message>
        <source>The server requires a sign-in at %1.</source>
        <translation>Der Server verlangt eine Anmeldung bei %1.</translation>
    </message>
    <message>
        <source>Sign in with sonde-cli login, or add an Authorization header.</source>
        <translation>Mit sonde-cli login anmelden oder einen Authorization-Header hinzufügen.</translation>
    </message>
    <message>
        <source>Identified by its own token</source>
        <translation>Durch sein eigenes Token identifiziert</translation>
    </message>
    <message>
        <source>%1, from the settings</source>
        <translation>%1, aus den Einstellungen</translation>
    </message>
    <message>
        <source>%1, as before</source>
        <translation>%1, wie zuvor</translation>
    </message>
    <message>
        <source>%1, registered earlier</source>
        <translation>%1, früher registriert</translation>
    </message>
    <message>
        <source>The authorization server does not support client registration.</source>
        <translation>Der Autorisierungsserver unterstützt keine Client-Registrierung.</translation>
    </message>
    <message>
        <source>Enter a client ID from %1 in this server&apos;s settings.</source>
        <translation>Eine Client-ID von %1 in den Einstellungen dieses Servers eingeben.</translation>
    </message>
    <message>
        <source>The sign-in was not completed within five minutes.</source>
        <translation>Die Anmeldung wurde nicht innerhalb von fünf Minuten abgeschlossen.</translation>
    </message>
    <message>
        <source>A response with the wrong state was ignored</source>
        <translation>Eine Antwort mit falschem state wurde ignoriert</translation>
    </message>
    <message>
        <source>The server requires credentials but publishes no sign-in metadata.</source>
        <translation>Der Server verlangt Anmeldedaten, veröffentlicht aber keine Anmeldemetadaten.</translation>
    </message>
    <message>
        <source>If it accepts an API key or a token, add it as a header, such as Authorization.</source>
        <translation>Falls er einen API-Schlüssel oder ein Token akzeptiert, es als Header hinzufügen, etwa Authorization.</translation>
    </message>
    <message>
        <source>If you have a client ID from %1, enter it in this server&apos;s settings.</source>
        <translation>Falls Sie eine Client-ID von %1 haben, sie in den Einstellungen dieses Servers eingeben.</translation>
    </message>
    <message>
        <source>Registered as %1</source>
        <translation>Registriert als %1</translation>
    </message>
    <message>
        <source>The authorization server does not support PKCE with S256, which MCP requires.</source>
        <translation>Der Autorisierungsserver unterstützt kein PKCE mit S256, das MCP verlangt.</translation>
    </message>
    <message>
        <source>Signing in at %1 is not possible.</source>
        <translation>Anmeldung bei %1 nicht möglich.</translation>
    </message>
    <message>
        <source>Waiting for you to sign in at %1</source>
        <translation>Warten auf Ihre Anmeldung bei %1</translation>
    </message>
    <message>
        <source>Waiting for you to sign in at %1, named by %2</source>
        <translation>Warten auf Ihre Anmeldung bei %1, genannt von %2</translation>
    </message>
    <message>
        <source>This is not the redirect URL of this sign-in.</source>
        <translation>Das ist nicht die Redirect-URL dieser Anmeldung.</translation>
    </message>
    <message>
        <source>Copy the whole address from the browser, from http to the end.</source>
        <translation>Die ganze Adresse aus dem Browser kopieren, von http bis zum Ende.</translation>
    </message>
    <message>
        <source>The authorization server&apos;s response has the parameter %1 more than once.</source>
        <translation>Die Antwort des Autorisierungsservers enthält den Parameter %1 mehrfach.</translation>
    </message>
    <message>
        <source>OAuth forbids that (RFC 6749, section 3.1), because it is ambiguous.</source>
        <translation>OAuth verbietet das (RFC 6749, Abschnitt 3.1), weil es mehrdeutig ist.</translation>
    </message>
    <message>
        <source>The response comes from a different authorization server.</source>
        <translation>Die Antwort kommt von einem anderen Autorisierungsserver.</translation>
    </message>
    <message>
        <source>The response does not say which authorization server it comes from.</source>
        <translation>Die Antwort sagt nicht, von welchem Autorisierungsserver sie kommt.</translation>
    </message>
    <message>
        <source>The authorization server refused the sign-in: %1</source>
        <translation>Der Autorisierungsserver hat die Anmeldung abgelehnt: %1</translation>
    </message>
    <message>
        <source>The authorization server&apos;s response has no code.</source>
        <translation>Die Antwort des Autorisierungsservers enthält keinen Code.</translation>
    </message>
    <message>
        <source>Signed in</source>
        <translation>Angemeldet</translation>
    </message>
    <message>
        <source>The identity provider is neither https nor on this computer.</source>
        <translation>Der Identitätsanbieter ist weder https noch auf diesem Computer.</translation>
    </message>
    <message>
        <source>Try again later, or sign in again.</source>
        <translation>Später erneut versuchen oder erneut anmelden.</translation>
    </message>
    <message>
        <source>OAuth requires it (RFC 6749, section 5.1), as in &quot;token_type&quot;: &quot;Bearer&quot;.</source>
        <translation>OAuth verlangt es (RFC 6749, Abschnitt 5.1), wie in &quot;token_type&quot;: &quot;Bearer&quot;.</translation>
    </message>
    <message>
        <source>The authorization server issued a token of an unknown type: %1</source>
        <translation>Der Autorisierungsserver hat ein Token unbekannten Typs ausgestellt: %1</translation>
    </message>
    <message>
        <source>The authorization server issued a token bound to a key (DPoP), but no key was used.</source>
        <translation>Der Autorisierungsserver hat ein an einen Schlüssel gebundenes Token (DPoP) ausgestellt, aber es wurde kein Schlüssel verwendet.</translation>
    </message>
    <message>
        <source>The authorization server issued a token with invalid characters.</source>
        <translation>Der Autorisierungsserver hat ein Token mit ungültigen Zeichen ausgestellt.</translation>
    </message>
    <message>
        <source>Refreshed</source>
        <translation>Erneuert</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>Access-Token</translation>
    </message>
    <message>
        <source>Access and refresh token</source>
        <translation>Access- und Refresh-Token</translation>
    </message>
</context>
<context>
    <name>sonde::SseTransport</name>
    <message>
        <source>Check that this is an HTTP+SSE URL.</source>
        <translation>Prüfen, ob dies eine HTTP+SSE-URL ist.</translation>
    </message>
    <message>
        <source>The server opened an event stream but did not name its endpoint in time.</source>
        <translation>Der Server hat einen Ereignisstrom geöffnet, aber seinen Endpunkt nicht rechtzeitig genannt.</translation>
    </message>
    <message>
        <source>The event stream did not begin with the event “endpoint”.</source>
        <translation>Der Ereignisstrom begann nicht mit dem Ereignis „endpoint“.</translation>
    </message>
    <message>
        <source>The endpoint that the server named is not a URL.</source>
        <translation>Der vom Server genannte Endpunkt ist keine URL.</translation>
    </message>
    <message>
        <source>The endpoint that the server named is on another origin. Nothing was sent there.</source>
        <translation>Der vom Server genannte Endpunkt hat einen anderen Ursprung (Origin). Dorthin wurde nichts gesendet.</translation>
    </message>
    <message>
        <source>Messages and credentials go only to %1.</source>
        <translation>Nachrichten und Anmeldedaten gehen nur an %1.</translation>
    </message>
</context>
<context>
    <name>sonde::StdioTransport</name>
    <message>
        <source>Hangup</source>
        <translation>Aufgelegt</translation>
    </message>
    <message>
        <source>Interrupt</source>
        <translation>Unterbrechung</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>Illegal instruction</source>
        <translation>Ungültiger Maschinenbefehl</translation>
    </message>
    <message>
        <source>Trace/breakpoint trap</source>
        <translation>Trace/Breakpoint ausgelöst</translation>
    </message>
    <message>
        <source>Aborted</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Bus error</source>
        <translation>Bus-Zugriffsfehler</translation>
    </message>
    <message>
        <source>Floating point exception</source>
        <translation>Gleitkomma-Ausnahme</translation>
    </message>
    <message>
        <source>Killed</source>
        <translation>Getötet</translation>
    </message>
    <message>
        <source>User defined signal 1</source>
        <translation>Benutzerdefiniertes Signal 1</translation>
    </message>
    <message>
        <source>Segmentation fault</source>
        <translation>Speicherzugriffsfehler</translation>
    </message>
    <message>
        <source>User defined signal 2</source>
        <translation>Benutzerdefiniertes Signal 2</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>Unterbrochene Pipe</translation>
    </message>
    <message>
        <source>Alarm clock</source>
        <translation>Weckersignal</translation>
    </message>
    <message>
        <source>Terminated</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>CPU time limit exceeded</source>
        <translation>CPU-Zeitgrenze überschritten</translation>
    </message>
    <message>
        <source>File size limit exceeded</source>
        <translation>Dateigrößengrenze überschritten</translation>
    </message>
    <message>
        <source>Bad system call</source>
        <translation>Ungültiger Systemaufruf</translation>
    </message>
    <message>
        <source>Unknown signal</source>
        <translation>Unbekanntes Signal</translation>
    </message>
    <message>
        <source>Code 127 usually means that a command inside a script was not found.</source>
        <translation>Code 127 bedeutet meist, dass ein Befehl in einem Skript nicht gefunden wurde.</translation>
    </message>
    <message>
        <source>Code 126 usually means that a command inside a script could not be executed.</source>
        <translation>Code 126 bedeutet meist, dass ein Befehl in einem Skript nicht ausgeführt werden konnte.</translation>
    </message>
    <message>
        <source>“%1” is a directory, not a program.</source>
        <translation>„%1“ ist ein Verzeichnis, kein Programm.</translation>
    </message>
    <message>
        <source>“%1” was found but is not executable.</source>
        <translation>„%1“ wurde gefunden, ist aber nicht ausführbar.</translation>
    </message>
    <message>
        <source>Make it executable (chmod +x), or start it through its interpreter, such as “node” or “python3”.</source>
        <translation>Ausführbar machen (chmod +x) oder über den Interpreter starten, etwa „node“ oder „python3“.</translation>
    </message>
    <message>
        <source>“~” is not expanded. Write the full path.</source>
        <translation>„~“ wird nicht expandiert. Den vollständigen Pfad angeben.</translation>
    </message>
    <message>
        <source>Install Node.js, or add the directory that holds “%1” to PATH in this server&apos;s environment (version managers such as nvm set it for terminals only).</source>
        <translation>Node.js installieren oder das Verzeichnis, das „%1“ enthält, in der Umgebung dieses Servers zu PATH hinzufügen (Versionsmanager wie nvm setzen es nur für Terminals).</translation>
    </message>
    <message>
        <source>Install uv, or add the directory that holds “%1” (often ~/.local/bin, written in full) to PATH in this server&apos;s environment.</source>
        <translation>uv installieren oder das Verzeichnis, das „%1“ enthält (oft ~/.local/bin, ausgeschrieben), in der Umgebung dieses Servers zu PATH hinzufügen.</translation>
    </message>
    <message>
        <source>Enter the full path, or add its directory to PATH in this server&apos;s environment.</source>
        <translation>Den vollständigen Pfad eingeben oder das Verzeichnis in der Umgebung dieses Servers zu PATH hinzufügen.</translation>
    </message>
    <message>
        <source>No program is given.</source>
        <translation>Es ist kein Programm angegeben.</translation>
    </message>
    <message>
        <source>File “%1” does not exist.</source>
        <translation>Die Datei „%1“ existiert nicht.</translation>
    </message>
    <message>
        <source>“%1” was not found in PATH.</source>
        <translation>„%1“ wurde in PATH nicht gefunden.</translation>
    </message>
    <message>
        <source>Relative entries are never searched: %1</source>
        <translation>Relative Einträge werden nie durchsucht: %1</translation>
    </message>
    <message>
        <source>The command or its environment contains a NUL character.</source>
        <translation>Der Befehl oder seine Umgebung enthält ein NUL-Zeichen.</translation>
    </message>
    <message>
        <source>“%1” is not a valid environment variable name.</source>
        <translation>„%1“ ist kein gültiger Name einer Umgebungsvariablen.</translation>
    </message>
    <message>
        <source>The working directory “%1” does not exist.</source>
        <translation>Das Arbeitsverzeichnis „%1“ existiert nicht.</translation>
    </message>
    <message>
        <source>The working directory “%1” is not a directory.</source>
        <translation>Das Arbeitsverzeichnis „%1“ ist kein Verzeichnis.</translation>
    </message>
    <message>
        <source>Cannot change to the working directory “%1”: %2.</source>
        <translation>Wechsel in das Arbeitsverzeichnis „%1“ nicht möglich: %2.</translation>
    </message>
    <message>
        <source>“%1” exists, but the interpreter in its first line does not.</source>
        <translation>„%1“ existiert, aber der Interpreter in der ersten Zeile nicht.</translation>
    </message>
    <message>
        <source>Check its “#!” line.</source>
        <translation>Die Zeile mit „#!“ prüfen.</translation>
    </message>
    <message>
        <source>“%1” cannot be run on this system.</source>
        <translation>„%1“ kann auf diesem System nicht ausgeführt werden.</translation>
    </message>
    <message>
        <source>A script needs a first line such as “#!/bin/sh”.</source>
        <translation>Ein Skript braucht eine erste Zeile wie „#!/bin/sh“.</translation>
    </message>
    <message>
        <source>The command line and environment of “%1” are too long.</source>
        <translation>Befehlszeile und Umgebung von „%1“ sind zu lang.</translation>
    </message>
    <message>
        <source>“%1” could not be started: %2.</source>
        <translation>„%1“ konnte nicht gestartet werden: %2.</translation>
    </message>
    <message>
        <source>Command: %1
Working directory: %2</source>
        <translation>Befehl: %1
Arbeitsverzeichnis: %2</translation>
    </message>
    <message>
        <source>The server closed its standard output but is still running.</source>
        <translation>Der Server hat seine Standardausgabe geschlossen, läuft aber noch.</translation>
    </message>
    <message>
        <source>Restart the server.</source>
        <translation>Den Server neu starten.</translation>
    </message>
    <message>
        <source>A message of %1 is longer than the limit of %2.</source>
        <translation>Eine Nachricht von %1 ist länger als die Grenze von %2.</translation>
    </message>
    <message>
        <source>Ask for less at once, such as a page or a part.</source>
        <translation>Weniger auf einmal anfordern, etwa eine Seite oder einen Teil.</translation>
    </message>
    <message>
        <source>Too much stderr output: from here on, lines are counted but not recorded.</source>
        <translation>Zu viel stderr-Ausgabe: Ab hier werden Zeilen gezählt, aber nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>%1 lines of stderr (%2) were not recorded here.</source>
        <translation>%1 Zeilen von stderr (%2) wurden hier nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>Not sent: the message of %1 exceeds the limit of %2 per message.</source>
        <translation>Nicht gesendet: Die Nachricht von %1 überschreitet die Grenze von %2 pro Nachricht.</translation>
    </message>
    <message>
        <source>Send less data at once, or a path or URL for the server to read from.</source>
        <translation>Weniger Daten auf einmal senden oder einen Pfad oder eine URL, von wo der Server liest.</translation>
    </message>
    <message>
        <source>The server is not reading its input; %1 are pending.</source>
        <translation>Der Server liest seine Eingabe nicht; %1 stehen aus.</translation>
    </message>
    <message>
        <source>The server has closed its standard input.</source>
        <translation>Der Server hat seine Standardeingabe geschlossen.</translation>
    </message>
    <message>
        <source>The server closed its standard input before reading this message.</source>
        <translation>Der Server hat seine Standardeingabe geschlossen, bevor er diese Nachricht las.</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2, %3).</source>
        <translation>Der Server wurde durch Signal %1 beendet (%2, %3).</translation>
    </message>
    <message>
        <source>The server was terminated by signal %1 (%2, %3) before it wrote anything.</source>
        <translation>Der Server wurde durch Signal %1 beendet (%2, %3), bevor er etwas schrieb.</translation>
    </message>
    <message>
        <source>The server exited with code %1.</source>
        <translation>Der Server endete mit Code %1.</translation>
    </message>
    <message>
        <source>The server exited with code %1 before it wrote anything.</source>
        <translation>Der Server endete mit Code %1, bevor er etwas schrieb.</translation>
    </message>
    <message>
        <source>Last lines of stderr:</source>
        <translation>Letzte Zeilen von stderr:</translation>
    </message>
</context>
<context>
    <name>sonde::StreamedSubscriptions</name>
    <message>
        <source>The subscription was lost: %1</source>
        <translation>Das Abonnement ging verloren: %1</translation>
    </message>
    <message>
        <source>Subscribing again in %1 s.</source>
        <translation>Neues Abonnement in %1 s.</translation>
    </message>
    <message>
        <source>%1 without the ID of its subscription.</source>
        <translation>%1 ohne die ID seines Abonnements.</translation>
    </message>
    <message>
        <source>%1 names the subscription %2, but came on the stream of %3.</source>
        <translation>%1 nennt das Abonnement %2, kam aber auf dem Strom von %3.</translation>
    </message>
    <message>
        <source>%1 came on the stream of request %2 (%3), which is not a subscription.</source>
        <translation>%1 kam auf dem Strom der Anfrage %2 (%3), die kein Abonnement ist.</translation>
    </message>
    <message>
        <source>%1 for an unknown subscription: %2</source>
        <translation>%1 für ein unbekanntes Abonnement: %2</translation>
    </message>
</context>
<context>
    <name>sonde::Subscriptions</name>
    <message>
        <source>The server ended the subscription.</source>
        <translation>Der Server hat das Abonnement beendet.</translation>
    </message>
    <message>
        <source>The server did not acknowledge this resource.</source>
        <translation>Der Server hat diese Ressource nicht bestätigt.</translation>
    </message>
</context>
<context>
    <name>sonde::TaskList</name>
    <message>
        <source>Max %1 pages of tasks; the rest was not read.</source>
        <translation>Max. %1 Seiten mit Tasks; der Rest wurde nicht gelesen.</translation>
    </message>
</context>
<context>
    <name>sonde::Transport</name>
    <message>
        <source>Not connected to the server.</source>
        <translation>Nicht mit dem Server verbunden.</translation>
    </message>
    <message>
        <source>Messages over %1 have no HTTP headers.</source>
        <translation>Nachrichten über %1 haben keine HTTP-Header.</translation>
    </message>
    <message>
        <source>Send this one without any.</source>
        <translation>Diese ohne Header senden.</translation>
    </message>
    <message>
        <source>The response violates JSON-RPC.</source>
        <translation>Die Antwort verletzt JSON-RPC.</translation>
    </message>
    <message>
        <source>The response is nested deeper than %1 levels, the limit of Sonde.</source>
        <translation>Die Antwort ist tiefer als %1 Ebenen verschachtelt, die Grenze von Sonde.</translation>
    </message>
</context>
<context>
    <name>sonde::app</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>See also</source>
        <translation>Siehe auch</translation>
    </message>
    <message>
        <source>Synopsis</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Exit status</source>
        <translation>Exit-Status</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>expected a command after --</source>
        <translation>nach -- wird ein Befehl erwartet</translation>
    </message>
    <message>
        <source>%1 takes no value</source>
        <translation>%1 nimmt keinen Wert</translation>
    </message>
    <message>
        <source>%1 needs a value: %2</source>
        <translation>%1 braucht einen Wert: %2</translation>
    </message>
    <message>
        <source>common options</source>
        <translation>gemeinsame Optionen</translation>
    </message>
    <message>
        <source>unknown option &apos;%1&apos;</source>
        <translation>unbekannte Option &apos;%1&apos;</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>war %1 gemeint?</translation>
    </message>
    <message>
        <source>%1 takes only %2</source>
        <translation>%1 nimmt nur %2</translation>
    </message>
    <message>
        <source>unexpected argument &apos;%1&apos;</source>
        <translation>unerwartetes Argument &apos;%1&apos;</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>erwartet: %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a positive number of seconds up to 1000000</source>
        <translation>&apos;%1&apos; ist keine positive Anzahl von Sekunden bis 1000000</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a positive number of %2</source>
        <translation>&apos;%1&apos; ist keine positive Anzahl: %2</translation>
    </message>
    <message>
        <source>Usage:</source>
        <translation>Aufruf:</translation>
    </message>
    <message>
        <source>Examples:</source>
        <translation>Beispiele:</translation>
    </message>
    <message>
        <source>%1: see %2</source>
        <translation>%1: siehe %2</translation>
    </message>
    <message>
        <source>can be repeated</source>
        <translation>mehrfach möglich</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
</context>
<context>
    <name>sonde::app::ActionStates</name>
    <message>
        <source>&amp;Start server</source>
        <translation>Server &amp;starten</translation>
    </message>
    <message>
        <source>&amp;Restart server</source>
        <translation>Server neu &amp;starten</translation>
    </message>
    <message>
        <source>&amp;Reconnect to server</source>
        <translation>Mit Server neu &amp;verbinden</translation>
    </message>
</context>
<context>
    <name>sonde::app::Actions</name>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>Aufgezeichnete Sitzungen</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server…</source>
        <translation>Gehe zu Tool, Ressource, Prompt, Server&#xa0;…</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server or command</source>
        <translation>Gehe zu Tool, Ressource, Prompt, Server oder Befehl</translation>
    </message>
    <message>
        <source>Replay ▸</source>
        <translation>Erneut abspielen ▸</translation>
    </message>
    <message>
        <source>Repeat the calls of a recorded session and compare</source>
        <translation>Die Aufrufe einer aufgezeichneten Sitzung wiederholen und vergleichen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare two servers or sessions</source>
        <translation>Zwei Server oder Sitzungen vergleichen</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Add server…</source>
        <translation>Server &amp;hinzufügen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Import servers…</source>
        <translation>Server &amp;importieren&#xa0;…</translation>
    </message>
    <message>
        <source>Import &amp;calls…</source>
        <translation>&amp;Aufrufe importieren&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Export servers…</source>
        <translation>Server &amp;exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Open session…</source>
        <translation>Sitzung ö&amp;ffnen&#xa0;…</translation>
    </message>
    <message>
        <source>C&amp;lose tab</source>
        <translation>Tab &amp;schließen</translation>
    </message>
    <message>
        <source>&amp;Reopen closed tab</source>
        <translation>&amp;Geschlossenen Tab wieder öffnen</translation>
    </message>
    <message>
        <source>&amp;Pin tab</source>
        <translation>Tab a&amp;nheften</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy arguments as &amp;JSON</source>
        <translation>Argumente als &amp;JSON kopieren</translation>
    </message>
    <message>
        <source>Copy call as &amp;sonde-cli command</source>
        <translation>Aufruf als sonde-&amp;cli-Befehl kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>A&amp;lles auswählen</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Suchen&#xa0;…</translation>
    </message>
    <message>
        <source>Fi&amp;lter tools, resources and prompts</source>
        <translation>&amp;Tools, Ressourcen und Prompts filtern</translation>
    </message>
    <message>
        <source>Filter the ti&amp;meline</source>
        <translation>&amp;Zeitleiste filtern</translation>
    </message>
    <message>
        <source>Pr&amp;eferences…</source>
        <translation>Ei&amp;nstellungen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Go to…</source>
        <translation>&amp;Gehe zu&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Next tab</source>
        <translation>&amp;Nächster Tab</translation>
    </message>
    <message>
        <source>&amp;Previous tab</source>
        <translation>&amp;Vorheriger Tab</translation>
    </message>
    <message>
        <source>&amp;Maximise the timeline</source>
        <translation>Zeitleiste &amp;maximieren</translation>
    </message>
    <message>
        <source>Match &amp;system</source>
        <translation>Wie &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>&amp;Helles Design</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>&amp;Dunkles Design</translation>
    </message>
    <message>
        <source>&amp;High contrast theme</source>
        <translation>Design mit hohem &amp;Kontrast</translation>
    </message>
    <message>
        <source>Show menu &amp;bar</source>
        <translation>Menüleiste &amp;anzeigen</translation>
    </message>
    <message>
        <source>&amp;Open the menu</source>
        <translation>Menü ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Restart server</source>
        <translation>Server neu &amp;starten</translation>
    </message>
    <message>
        <source>S&amp;top server</source>
        <translation>Server s&amp;toppen</translation>
    </message>
    <message>
        <source>Server &amp;info</source>
        <translation>Server&amp;info</translation>
    </message>
    <message>
        <source>Refresh &amp;lists of tools, resources and prompts</source>
        <translation>&amp;Listen der Tools, Ressourcen und Prompts aktualisieren</translation>
    </message>
    <message>
        <source>&amp;Ping server</source>
        <translation>Server an&amp;pingen</translation>
    </message>
    <message>
        <source>Tas&amp;ks</source>
        <translation>Tas&amp;ks</translation>
    </message>
    <message>
        <source>Run &amp;all saved calls</source>
        <translation>&amp;Alle gespeicherten Aufrufe ausführen</translation>
    </message>
    <message>
        <source>&amp;Edit server…</source>
        <translation>Server &amp;bearbeiten&#xa0;…</translation>
    </message>
    <message>
        <source>Re&amp;name server…</source>
        <translation>Server &amp;umbenennen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Duplicate server</source>
        <translation>Server &amp;duplizieren</translation>
    </message>
    <message>
        <source>&amp;Copy server as mcpServers JSON</source>
        <translation>Server als mcpServers-&amp;JSON kopieren</translation>
    </message>
    <message>
        <source>Re&amp;move server…</source>
        <translation>Server &amp;entfernen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Replay…</source>
        <translation>&amp;Erneut abspielen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Compare…</source>
        <translation>&amp;Vergleichen&#xa0;…</translation>
    </message>
    <message>
        <source>Call &amp;statistics</source>
        <translation>&amp;Aufrufstatistik</translation>
    </message>
    <message>
        <source>E&amp;xport session…</source>
        <translation>Sitzung ex&amp;portieren&#xa0;…</translation>
    </message>
    <message>
        <source>Session size &amp;limit…</source>
        <translation>&amp;Größengrenze der Sitzung&#xa0;…</translation>
    </message>
    <message>
        <source>Cl&amp;ose session</source>
        <translation>Sitzung &amp;schließen</translation>
    </message>
    <message>
        <source>&amp;Call</source>
        <translation>&amp;Aufrufen</translation>
    </message>
    <message>
        <source>Ca&amp;ncel call</source>
        <translation>Aufruf a&amp;bbrechen</translation>
    </message>
    <message>
        <source>&amp;Older call</source>
        <translation>Ä&amp;lterer Aufruf</translation>
    </message>
    <message>
        <source>Ne&amp;wer call</source>
        <translation>&amp;Neuerer Aufruf</translation>
    </message>
    <message>
        <source>&amp;Respond to the server request</source>
        <translation>Auf die Server-Anfrage an&amp;tworten</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>&amp;Tastenkürzel&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;About Sonde</source>
        <translation>Ü&amp;ber Sonde</translation>
    </message>
</context>
<context>
    <name>sonde::app::ClosableBanner</name>
    <message>
        <source>Close this notice</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>sonde::app::CompareController</name>
    <message>
        <source>Not connected.</source>
        <translation>Nicht verbunden.</translation>
    </message>
    <message>
        <source>Connect to it, then compare again.</source>
        <translation>Mit ihm verbinden, dann erneut vergleichen.</translation>
    </message>
    <message>
        <source>The session was closed.</source>
        <translation>Die Sitzung wurde geschlossen.</translation>
    </message>
    <message>
        <source>not connected; showing its last offering</source>
        <translation>nicht verbunden; das letzte Angebot wird gezeigt</translation>
    </message>
    <message>
        <source>loading its offering…</source>
        <translation>Angebot wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>replay of %1</source>
        <translation>Wiedergabe von %1</translation>
    </message>
    <message>
        <source>There is no file %1 any more.</source>
        <translation>Die Datei %1 gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>Put it back and compare again, or choose another one.</source>
        <translation>Legen Sie sie zurück und vergleichen Sie erneut, oder wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>The server is not in the list any more.</source>
        <translation>Der Server ist nicht mehr in der Liste.</translation>
    </message>
    <message>
        <source>Add it again under this name, or compare with another one.</source>
        <translation>Fügen Sie ihn unter diesem Namen wieder hinzu, oder vergleichen Sie mit einem anderen.</translation>
    </message>
</context>
<context>
    <name>sonde::app::CurrentView</name>
    <message>
        <source>Reading the session…</source>
        <translation>Die Sitzung wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>Nothing listed</source>
        <translation>Nichts aufgelistet</translation>
    </message>
    <message>
        <source>The session has no lists of tools, resources or prompts. Its messages are below.</source>
        <translation>Die Sitzung hat keine Listen von Tools, Ressourcen oder Prompts. Ihre Nachrichten stehen unten.</translation>
    </message>
    <message>
        <source>Nothing offered</source>
        <translation>Nichts angeboten</translation>
    </message>
    <message>
        <source>The server declares no tools, resources or prompts.</source>
        <translation>Der Server deklariert keine Tools, Ressourcen oder Prompts.</translation>
    </message>
    <message>
        <source>Press ▶ or Enter to start it.</source>
        <translation>Zum Starten ▶ oder die Eingabetaste drücken.</translation>
    </message>
    <message>
        <source>%1: pid %2</source>
        <translation>%1: PID %2</translation>
    </message>
    <message>
        <source>Session %1</source>
        <translation>Sitzung %1</translation>
    </message>
    <message>
        <source>Session file: %1</source>
        <translation>Sitzungsdatei: %1</translation>
    </message>
    <message>
        <source>▲ Recording in memory only</source>
        <translation>▲ Aufzeichnung nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>● Recording to %1</source>
        <translation>● Aufzeichnung in %1</translation>
    </message>
    <message>
        <source>▲ Recording calls only: limit of %1 reached</source>
        <translation>▲ Nur Aufrufe werden aufgezeichnet: Grenze von %1 erreicht</translation>
    </message>
    <message>
        <source> · %1 not stored</source>
        <translation> · %1 nicht gespeichert</translation>
    </message>
    <message>
        <source>1 record</source>
        <translation>1 Eintrag</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 Einträge</translation>
    </message>
    <message>
        <source> · %1 of %2</source>
        <translation> · %1 von %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 Nachricht</translation>
    </message>
    <message>
        <source>%1 messages</source>
        <translation>%1 Nachrichten</translation>
    </message>
    <message>
        <source>Press ▶ or Enter to connect to it.</source>
        <translation>Zum Verbinden ▶ oder die Eingabetaste drücken.</translation>
    </message>
</context>
<context>
    <name>sonde::app::DesktopNotification</name>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
</context>
<context>
    <name>sonde::app::GotoController</name>
    <message>
        <source>Enter opens the saved call, Ctrl+Enter runs it.</source>
        <translation>Eingabe öffnet den gespeicherten Aufruf, Strg+Eingabe führt ihn aus.</translation>
    </message>
    <message>
        <source>Enter runs the command.</source>
        <translation>Eingabe führt den Befehl aus.</translation>
    </message>
    <message>
        <source>Press Enter to open.</source>
        <translation>Eingabe öffnet den Eintrag.</translation>
    </message>
    <message>
        <source>session · %1</source>
        <translation>Sitzung · %1</translation>
    </message>
    <message>
        <source>server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>saved call · %1</source>
        <translation>gespeicherter Aufruf · %1</translation>
    </message>
    <message>
        <source>recorded session · %1</source>
        <translation>aufgezeichnete Sitzung · %1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>ein</translation>
    </message>
</context>
<context>
    <name>sonde::app::ImportController</name>
    <message>
        <source>Their secrets were not saved.</source>
        <translation>Die Geheimnisse wurden nicht gespeichert.</translation>
    </message>
    <message>
        <source>Import them again to retry.</source>
        <translation>Für einen neuen Versuch erneut importieren.</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>”, “</source>
        <translation>“, „</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> und %1 weitere</translation>
    </message>
    <message>
        <source>%1 of %2 imported</source>
        <translation>%1 von %2 importiert</translation>
    </message>
    <message>
        <source>Left out: %1. %2</source>
        <translation>Ausgelassen: %1. %2</translation>
    </message>
    <message>
        <source>Added the missing secrets of “%1”.</source>
        <translation>Die fehlenden Geheimnisse von „%1“ wurden ergänzt.</translation>
    </message>
    <message>
        <source>“%1” is already in the list, with its secrets.</source>
        <translation>„%1“ ist mit seinen Geheimnissen bereits in der Liste.</translation>
    </message>
    <message>
        <source>Its secrets were not saved.</source>
        <translation>Seine Geheimnisse wurden nicht gespeichert.</translation>
    </message>
    <message>
        <source>Import it again to retry.</source>
        <translation>Importieren Sie ihn erneut, um es noch einmal zu versuchen.</translation>
    </message>
</context>
<context>
    <name>sonde::app::LastState</name>
    <message>
        <source>What was open last time cannot be restored</source>
        <translation>Was zuletzt geöffnet war, kann nicht wiederhergestellt werden</translation>
    </message>
    <message>
        <source>Sonde did not exit properly last time</source>
        <translation>Sonde wurde beim letzten Mal nicht ordnungsgemäß beendet</translation>
    </message>
    <message>
        <source>No session was being recorded.</source>
        <translation>Es wurde keine Sitzung aufgezeichnet.</translation>
    </message>
    <message>
        <source>The session is saved: %1</source>
        <translation>Die Sitzung ist gespeichert: %1</translation>
    </message>
    <message>
        <source>The sessions are saved: %1 and %2 more</source>
        <translation>Die Sitzungen sind gespeichert: %1 und %2 weitere</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>sonde::app::MainWindow</name>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt or server</source>
        <translation>Gehe zu Tool, Ressource, Prompt oder Server</translation>
    </message>
    <message>
        <source>Replay a recorded session</source>
        <translation>Eine aufgezeichnete Sitzung erneut abspielen</translation>
    </message>
    <message>
        <source>Compare two servers or sessions</source>
        <translation>Zwei Server oder Sitzungen vergleichen</translation>
    </message>
    <message>
        <source>Automatic responses</source>
        <translation>Automatische Antworten</translation>
    </message>
    <message>
        <source>Server requests</source>
        <translation>Server-Anfragen</translation>
    </message>
    <message>
        <source>Show the requests of servers</source>
        <translation>Die Anfragen der Server anzeigen</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>Light, dark, high contrast, or match system</source>
        <translation>Hell, dunkel, hoher Kontrast oder wie das System</translation>
    </message>
</context>
<context>
    <name>sonde::app::MenuBar</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>&amp;Server</translation>
    </message>
    <message>
        <source>Sess&amp;ion</source>
        <translation>S&amp;itzung</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>&amp;Extras</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
</context>
<context>
    <name>sonde::app::NameDialog</name>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
</context>
<context>
    <name>sonde::app::OfferMenu</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open in another tab</source>
        <translation>In anderem Tab öffnen</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Copy URI</source>
        <translation>URI kopieren</translation>
    </message>
    <message>
        <source>Copy URI template</source>
        <translation>URI-Vorlage kopieren</translation>
    </message>
    <message>
        <source>Copy input schema</source>
        <translation>Eingabeschema kopieren</translation>
    </message>
    <message>
        <source>Copy as sonde-cli command</source>
        <translation>Als sonde-cli-Befehl kopieren</translation>
    </message>
    <message>
        <source>Filter the timeline for it</source>
        <translation>Zeitleiste danach filtern</translation>
    </message>
    <message>
        <source>The command could not be made</source>
        <translation>Der Befehl konnte nicht erzeugt werden</translation>
    </message>
    <message>
        <source>Copied a command for %1.</source>
        <translation>Befehl für %1 kopiert.</translation>
    </message>
</context>
<context>
    <name>sonde::app::PreferencesController</name>
    <message>
        <source>%1 Alt or F10 opens the menu while it is hidden.</source>
        <translation>%1 Bei ausgeblendeter Menüleiste öffnet Alt oder F10 das Menü.</translation>
    </message>
    <message>
        <source>To show the menu bar again, use the preferences.</source>
        <translation>Wieder einblenden lässt sich die Menüleiste in den Einstellungen.</translation>
    </message>
    <message>
        <source>To show the menu bar again, press %1.</source>
        <translation>Wieder einblenden lässt sich die Menüleiste mit %1.</translation>
    </message>
    <message>
        <source>Hide menu bar</source>
        <translation>Menüleiste ausblenden</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Forget the remembered arguments of 1 tool?</source>
        <translation>Die gemerkten Argumente von 1 Tool vergessen?</translation>
    </message>
    <message>
        <source>Forget the remembered arguments of %1 tools?</source>
        <translation>Die gemerkten Argumente von %1 Tools vergessen?</translation>
    </message>
    <message>
        <source>Forget arguments</source>
        <translation>Argumente vergessen</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The arguments could not be forgotten</source>
        <translation>Die Argumente konnten nicht vergessen werden</translation>
    </message>
</context>
<context>
    <name>sonde::app::RecentFiles</name>
    <message>
        <source>The list of recently used files is not well-formed.</source>
        <translation>Die Liste der zuletzt verwendeten Dateien ist nicht wohlgeformt.</translation>
    </message>
    <message>
        <source>There is no folder for the list of recently used files.</source>
        <translation>Es gibt keinen Ordner für die Liste der zuletzt verwendeten Dateien.</translation>
    </message>
    <message>
        <source>%1 is being changed by another program.</source>
        <translation>%1 wird gerade von einem anderen Programm geändert.</translation>
    </message>
</context>
<context>
    <name>sonde::app::ReconnectBar</name>
    <message>
        <source>Reconnect all</source>
        <translation>Alle neu verbinden</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>Neu verbinden</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> und %1 weitere</translation>
    </message>
    <message>
        <source>1 server was connected last time</source>
        <translation>1 Server war zuletzt verbunden</translation>
    </message>
    <message>
        <source>%1 servers were connected last time</source>
        <translation>%1 Server waren zuletzt verbunden</translation>
    </message>
</context>
<context>
    <name>sonde::app::ReplayController</name>
    <message>
        <source>%1, current session</source>
        <translation>%1, aktuelle Sitzung</translation>
    </message>
    <message>
        <source>%1, session of %2</source>
        <translation>%1, Sitzung von %2</translation>
    </message>
    <message>
        <source>%1, replayed %2</source>
        <translation>%1, Wiedergabe %2</translation>
    </message>
    <message>
        <source>“%1” is not in the list of servers, and how it is started was not saved.</source>
        <translation>„%1“ ist nicht in der Liste der Server, und wie er gestartet wird, wurde nicht gespeichert.</translation>
    </message>
    <message>
        <source>Replay the session again and choose a server.</source>
        <translation>Spielen Sie die Sitzung erneut ab und wählen Sie einen Server.</translation>
    </message>
</context>
<context>
    <name>sonde::app::RequestController</name>
    <message>
        <source>1 request</source>
        <translation>1 Anfrage</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 Anfragen</translation>
    </message>
    <message>
        <source>%1 is waiting for you</source>
        <translation>%1 wartet auf Sie</translation>
    </message>
    <message>
        <source>The server sent a request. Its call continues when you respond.</source>
        <translation>Der Server hat eine Anfrage gesendet. Sein Aufruf geht weiter, wenn Sie antworten.</translation>
    </message>
    <message>
        <source>Stop responding to %1 of %2 (%3)</source>
        <translation>Nicht mehr auf %1 von %2 antworten (%3)</translation>
    </message>
    <message>
        <source>sent 1 more time</source>
        <translation>noch 1-mal gesendet</translation>
    </message>
    <message>
        <source>sent %1 more times</source>
        <translation>noch %1-mal gesendet</translation>
    </message>
    <message>
        <source>1 automatic response ▾</source>
        <translation>1 automatische Antwort ▾</translation>
    </message>
    <message>
        <source>%1 automatic responses ▾</source>
        <translation>%1 automatische Antworten ▾</translation>
    </message>
</context>
<context>
    <name>sonde::app::SavedCallsController</name>
    <message>
        <source>The saved call cannot be opened</source>
        <translation>Der gespeicherte Aufruf kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>This server has no tool “%1”.</source>
        <translation>Dieser Server hat kein Tool „%1“.</translation>
    </message>
    <message>
        <source>A saved call is a small JSON file: a call of a tool, and what is expected of its response. Keep them in a folder beside the source of your server.</source>
        <translation>Ein gespeicherter Aufruf ist eine kleine JSON-Datei: ein Tool-Aufruf und was von seiner Antwort erwartet wird. Am besten in einem Ordner neben dem Quelltext des Servers aufbewahren.</translation>
    </message>
    <message>
        <source>From a collection of Postman, Insomnia or Hoppscotch, or from MCP Inspector</source>
        <translation>Aus einer Sammlung von Postman, Insomnia oder Hoppscotch oder aus MCP Inspector</translation>
    </message>
    <message>
        <source>Calls that you save appear here.</source>
        <translation>Gespeicherte Aufrufe erscheinen hier.</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>Ordner wählen&#xa0;…</translation>
    </message>
    <message>
        <source>Import calls…</source>
        <translation>Aufrufe importieren&#xa0;…</translation>
    </message>
    <message>
        <source>No saved calls for this server.</source>
        <translation>Keine gespeicherten Aufrufe für diesen Server.</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>Alle ausführen</translation>
    </message>
    <message>
        <source>Run all in %1</source>
        <translation>Alle in %1 ausführen</translation>
    </message>
    <message>
        <source>Run the saved calls of %1 one after the other and compare</source>
        <translation>Die gespeicherten Aufrufe von %1 nacheinander ausführen und vergleichen</translation>
    </message>
    <message>
        <source>Folders…</source>
        <translation>Ordner&#xa0;…</translation>
    </message>
    <message>
        <source>The call was not saved</source>
        <translation>Der Aufruf wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>Saved to %1</source>
        <translation>Gespeichert in %1</translation>
    </message>
    <message>
        <source>%1 of %2 calls imported</source>
        <translation>%1 von %2 Aufrufen importiert</translation>
    </message>
    <message>
        <source>Imported 1 call to %2</source>
        <translation>1 Aufruf in %2 importiert</translation>
    </message>
    <message>
        <source>Imported %1 calls to %2</source>
        <translation>%1 Aufrufe in %2 importiert</translation>
    </message>
    <message>
        <source>Folder of saved calls</source>
        <translation>Ordner der gespeicherten Aufrufe</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen&#xa0;…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen&#xa0;…</translation>
    </message>
    <message>
        <source>Show in file manager</source>
        <translation>In Dateiverwaltung anzeigen</translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation>Aus Liste entfernen</translation>
    </message>
    <message>
        <source>Rename saved call</source>
        <translation>Gespeicherten Aufruf umbenennen</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>The saved call was not renamed</source>
        <translation>Der gespeicherte Aufruf wurde nicht umbenannt</translation>
    </message>
    <message>
        <source>%1 exists already.</source>
        <translation>%1 existiert bereits.</translation>
    </message>
    <message>
        <source>%1 could not be removed.</source>
        <translation>%1 konnte nicht entfernt werden.</translation>
    </message>
    <message>
        <source>Delete saved call</source>
        <translation>Gespeicherten Aufruf löschen</translation>
    </message>
    <message>
        <source>Delete the file %1?</source>
        <translation>Die Datei %1 löschen?</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>The saved call was not deleted</source>
        <translation>Der gespeicherte Aufruf wurde nicht gelöscht</translation>
    </message>
    <message>
        <source>The saved calls were not run</source>
        <translation>Die gespeicherten Aufrufe wurden nicht ausgeführt</translation>
    </message>
    <message>
        <source>No server is started.</source>
        <translation>Es ist kein Server gestartet.</translation>
    </message>
    <message>
        <source>“%1” is not connected.</source>
        <translation>„%1“ ist nicht verbunden.</translation>
    </message>
    <message>
        <source>Start it first.</source>
        <translation>Zuerst starten.</translation>
    </message>
    <message>
        <source>%1 has no saved calls for this server.</source>
        <translation>%1 hat keine gespeicherten Aufrufe für diesen Server.</translation>
    </message>
    <message>
        <source>1 saved call was skipped</source>
        <translation>1 gespeicherter Aufruf wurde ausgelassen</translation>
    </message>
    <message>
        <source>%1 saved calls were skipped</source>
        <translation>%1 gespeicherte Aufrufe wurden ausgelassen</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Run saved calls?</source>
        <translation>Gespeicherte Aufrufe ausführen?</translation>
    </message>
    <message>
        <source>These saved calls use tools that may be destructive: %1.</source>
        <translation>Diese gespeicherten Aufrufe verwenden Tools, die destruktiv sein können: %1.</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>Nicht ausgeführt</translation>
    </message>
    <message>
        <source>The server is not in the list any more.</source>
        <translation>Der Server ist nicht mehr in der Liste.</translation>
    </message>
    <message>
        <source>%1 was not changed</source>
        <translation>%1 wurde nicht geändert</translation>
    </message>
    <message>
        <source>Saved: %1 now has what it expects.</source>
        <translation>Gespeichert: %1 enthält jetzt die neue Erwartung.</translation>
    </message>
    <message>
        <source>The server was removed.</source>
        <translation>Der Server wurde entfernt.</translation>
    </message>
    <message>
        <source>Start server</source>
        <translation>Server starten</translation>
    </message>
    <message>
        <source>Not changed: %1</source>
        <translation>Nicht geändert: %1</translation>
    </message>
    <message>
        <source>The calls of a folder run in the order of their file names. Add that call, or rename one of the two.</source>
        <translation>Die Aufrufe eines Ordners laufen in der Reihenfolge ihrer Dateinamen. Fügen Sie diesen Aufruf hinzu, oder benennen Sie einen der beiden um.</translation>
    </message>
</context>
<context>
    <name>sonde::app::SecretKeeper</name>
    <message>
        <source>A secret of “%1” is still in the keychain</source>
        <translation>Ein Geheimnis von „%1“ ist noch im Schlüsselbund</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 Server</translation>
    </message>
    <message>
        <source>Secrets of %1</source>
        <translation>Geheimnisse von %1</translation>
    </message>
    <message>
        <source>Without a keychain the values can be kept until Sonde is closed. They are never written to a file.</source>
        <translation>Ohne Schlüsselbund können die Werte behalten werden, bis Sonde geschlossen wird. Sie werden nie in eine Datei geschrieben.</translation>
    </message>
    <message>
        <source>Keep for this session only</source>
        <translation>Nur für diese Sitzung behalten</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>sonde::app::SendController</name>
    <message>
        <source>Call %1?</source>
        <translation>%1 aufrufen?</translation>
    </message>
    <message>
        <source>This message calls “%1”, which may be destructive.</source>
        <translation>Diese Nachricht ruft „%1“ auf; das kann destruktiv sein.</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Trotzdem senden</translation>
    </message>
    <message>
        <source>The message could not be sent</source>
        <translation>Die Nachricht konnte nicht gesendet werden</translation>
    </message>
</context>
<context>
    <name>sonde::app::ServerController</name>
    <message>
        <source>No server named “%1”</source>
        <translation>Kein Server namens „%1“</translation>
    </message>
    <message>
        <source>Add it with %1.</source>
        <translation>Hinzufügen mit %1.</translation>
    </message>
    <message>
        <source>The server could not be added</source>
        <translation>Der Server konnte nicht hinzugefügt werden</translation>
    </message>
    <message>
        <source>Invalid command or URL</source>
        <translation>Ungültiger Befehl oder ungültige URL</translation>
    </message>
    <message>
        <source>The server could not be changed</source>
        <translation>Der Server konnte nicht geändert werden</translation>
    </message>
    <message>
        <source>Rename server</source>
        <translation>Server umbenennen</translation>
    </message>
    <message>
        <source>it must not be empty</source>
        <translation>er darf nicht leer sein</translation>
    </message>
    <message>
        <source>“%1” is a copy of “%2”. It was not started.</source>
        <translation>„%1“ ist eine Kopie von „%2“. Er wurde nicht gestartet.</translation>
    </message>
    <message>
        <source>Choose working directory</source>
        <translation>Arbeitsverzeichnis wählen</translation>
    </message>
    <message>
        <source>Remove “%1” from the list? Its recorded sessions are kept.</source>
        <translation>„%1“ aus der Liste entfernen? Die aufgezeichneten Sitzungen bleiben erhalten.</translation>
    </message>
    <message>
        <source>1 call is running and will be cancelled.</source>
        <translation>1 Aufruf läuft und wird abgebrochen.</translation>
    </message>
    <message>
        <source>%1 calls are running and will be cancelled.</source>
        <translation>%1 Aufrufe laufen und werden abgebrochen.</translation>
    </message>
    <message>
        <source>Remove server</source>
        <translation>Server entfernen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The server could not be removed</source>
        <translation>Der Server konnte nicht entfernt werden</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>Erneut abspielen&#xa0;…</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Vergleichen&#xa0;…</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>Sitzung schließen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Server info</source>
        <translation>Serverinfo</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten&#xa0;…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen&#xa0;…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Copy as mcpServers JSON</source>
        <translation>Als mcpServers-JSON kopieren</translation>
    </message>
    <message>
        <source>Export servers…</source>
        <translation>Server exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen&#xa0;…</translation>
    </message>
    <message>
        <source>%1 calls are running or waiting and will be cancelled.</source>
        <translation>%1 Aufrufe laufen oder warten und werden abgebrochen.</translation>
    </message>
    <message>
        <source>1 tab with arguments that you entered closes too and cannot be reopened.</source>
        <translation>1 Tab mit Argumenten, die Sie eingegeben haben, wird ebenfalls geschlossen und kann nicht wieder geöffnet werden.</translation>
    </message>
    <message>
        <source>%1 tabs with arguments that you entered close too and cannot be reopened.</source>
        <translation>%1 Tabs mit Argumenten, die Sie eingegeben haben, werden ebenfalls geschlossen und können nicht wieder geöffnet werden.</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>Name (%1):</source>
        <translation>Name (%1):</translation>
    </message>
    <message>
        <source>Restart server</source>
        <translation>Server neu starten</translation>
    </message>
    <message>
        <source>Reconnect to server</source>
        <translation>Mit Server neu verbinden</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>Neu verbinden</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
</context>
<context>
    <name>sonde::app::Shortcuts</name>
    <message>
        <source>it opens the menu %1</source>
        <translation>öffnet das Menü %1</translation>
    </message>
    <message>
        <source>it saves the saved call of the tab</source>
        <translation>speichert den gespeicherten Aufruf des Tabs</translation>
    </message>
</context>
<context>
    <name>sonde::app::StateFile</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1 kann nicht gelesen werden: %2.</translation>
    </message>
    <message>
        <source>The file was kept as %1.</source>
        <translation>Die Datei wurde als %1 behalten.</translation>
    </message>
    <message>
        <source>Remove or repair the file. Until then nothing is kept.</source>
        <translation>Die Datei entfernen oder reparieren. Bis dahin wird nichts behalten.</translation>
    </message>
    <message>
        <source>%1 would be too large.</source>
        <translation>%1 würde zu groß.</translation>
    </message>
</context>
<context>
    <name>sonde::app::StorageWarnings</name>
    <message>
        <source>servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Other users can change your list of servers</source>
        <translation>Andere Benutzer können Ihre Serverliste ändern</translation>
    </message>
    <message>
        <source>Restrict access</source>
        <translation>Zugriff einschränken</translation>
    </message>
    <message>
        <source>Access could not be restricted</source>
        <translation>Der Zugriff konnte nicht eingeschränkt werden</translation>
    </message>
    <message>
        <source>sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>The session file can no longer be written; new records stay in memory</source>
        <translation>Die Sitzungsdatei kann nicht mehr geschrieben werden; neue Einträge bleiben im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Change limit…</source>
        <translation>Grenze ändern&#xa0;…</translation>
    </message>
    <message>
        <source>The session of %1 is close to its limit: %2 of %3</source>
        <translation>Die Sitzung von %1 ist nahe an ihrer Grenze: %2 von %3</translation>
    </message>
    <message>
        <source>Beyond it, calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted, not stored.</source>
        <translation>Jenseits davon werden Aufrufe weiterhin aufgezeichnet. Benachrichtigungen, Standardfehler und andere unaufgeforderte Ausgaben des Servers werden gezählt, nicht gespeichert.</translation>
    </message>
    <message>
        <source>The session of %1 has reached its limit of %2</source>
        <translation>Die Sitzung von %1 hat ihre Grenze von %2 erreicht</translation>
    </message>
    <message>
        <source>Calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted from here on, not stored.</source>
        <translation>Aufrufe werden weiterhin aufgezeichnet. Benachrichtigungen, Standardfehler und andere unaufgeforderte Ausgaben des Servers werden ab hier gezählt, nicht gespeichert.</translation>
    </message>
    <message>
        <source>The list of servers cannot be read</source>
        <translation>Die Serverliste kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Not saved, only kept in memory: %1</source>
        <translation>Nicht gespeichert, nur im Arbeitsspeicher: %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>Changes to the list of servers are still in memory only</source>
        <translation>Änderungen an der Serverliste sind noch nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 Sitzungen</translation>
    </message>
    <message>
        <source>the session of “%1”</source>
        <translation>die Sitzung von „%1“</translation>
    </message>
    <message>
        <source>open tabs</source>
        <translation>offene Tabs</translation>
    </message>
</context>
<context>
    <name>sonde::app::TabController</name>
    <message>
        <source>tool</source>
        <translation>Tool</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>Ressource</translation>
    </message>
    <message>
        <source>template</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>%1 (not connected)</source>
        <translation>%1 (nicht verbunden)</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Tasks</translation>
    </message>
    <message>
        <source>This link comes from the server. Open it in your browser?</source>
        <translation>Dieser Link kommt vom Server. Im Browser öffnen?</translation>
    </message>
    <message>
        <source>Started, but the approval could not be saved</source>
        <translation>Gestartet, aber die Freigabe konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>No response to ping</source>
        <translation>Keine Antwort auf Ping</translation>
    </message>
    <message>
        <source>saved call</source>
        <translation>gespeicherter Aufruf</translation>
    </message>
    <message>
        <source>Preview: double-click the tab to keep it</source>
        <translation>Vorschau: Doppelklick auf den Tab, um ihn zu behalten</translation>
    </message>
    <message>
        <source>%1 calls are still running. Closing their tabs cancels them.</source>
        <translation>%1 Aufrufe laufen noch. Das Schließen ihrer Tabs bricht sie ab.</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab cancels the calls that are left.</source>
        <translation>„%1“ läuft noch. Das Schließen des Tabs bricht die verbleibenden Aufrufe ab.</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab cancels the call.</source>
        <translation>„%1“ läuft noch. Das Schließen des Tabs bricht den Aufruf ab.</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>Tab schließen</translation>
    </message>
    <message>
        <source>Close tabs</source>
        <translation>Tabs schließen</translation>
    </message>
    <message>
        <source>Cancel call and close</source>
        <translation>Aufruf abbrechen und schließen</translation>
    </message>
    <message>
        <source>Cancel calls and close</source>
        <translation>Aufrufe abbrechen und schließen</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>Offen lassen</translation>
    </message>
    <message>
        <source>%1 continues as a task: see Tasks on the server&apos;s page.</source>
        <translation>%1 läuft als Task weiter: siehe Tasks auf der Seite des Servers.</translation>
    </message>
    <message>
        <source>%1 was cancelled because its tab was closed.</source>
        <translation>%1 wurde abgebrochen, weil der Tab geschlossen wurde.</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>“%1” is still running. Closing its tab stops the replay.</source>
        <translation>„%1“ läuft noch. Wird sein Tab geschlossen, hält die Wiedergabe an.</translation>
    </message>
    <message>
        <source>Stop replay and close</source>
        <translation>Wiedergabe anhalten und schließen</translation>
    </message>
    <message>
        <source>The arguments of “%1” are not saved in its file.</source>
        <translation>Die Argumente von „%1“ sind nicht in der Datei gespeichert.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>sonde::app::TabMenu</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close others</source>
        <translation>Andere schließen</translation>
    </message>
    <message>
        <source>Close to the right</source>
        <translation>Rechts davon schließen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
</context>
<context>
    <name>sonde::app::UseController</name>
    <message>
        <source>Use in…</source>
        <translation>Verwenden in&#xa0;…</translation>
    </message>
    <message>
        <source>saved call</source>
        <translation>gespeicherter Aufruf</translation>
    </message>
    <message>
        <source>open tab</source>
        <translation>offener Tab</translation>
    </message>
    <message>
        <source>Not used: the JSON of these arguments has to be fixed first.</source>
        <translation>Nicht verwendet: Zuerst muss das JSON dieser Argumente korrigiert werden.</translation>
    </message>
</context>
<context>
    <name>sonde::app::WaitingTab</name>
    <message>
        <source>Reconnect</source>
        <translation>Neu verbinden</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Secrets and very long values were not saved. Enter them again.</source>
        <translation>Geheimnisse und sehr lange Werte wurden nicht gespeichert. Sie müssen neu eingegeben werden.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>What you typed is kept. Nothing runs until you reconnect.</source>
        <translation>Ihre Eingaben bleiben erhalten. Bis zum erneuten Verbinden läuft nichts.</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Waiting for the lists of the server…</source>
        <translation>Warten auf die Listen des Servers&#xa0;…</translation>
    </message>
    <message>
        <source>No longer offered by the server</source>
        <translation>Vom Server nicht mehr angeboten</translation>
    </message>
    <message>
        <source>What you typed is kept.</source>
        <translation>Ihre Eingaben bleiben erhalten.</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Wird verbunden</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Tasks</translation>
    </message>
    <message>
        <source>Saved calls · %1</source>
        <translation>Gespeicherte Aufrufe · %1</translation>
    </message>
    <message>
        <source>Nothing runs until you reconnect.</source>
        <translation>Bis zum erneuten Verbinden läuft nichts.</translation>
    </message>
</context>
<context>
    <name>sonde::app::WarningBar</name>
    <message>
        <source>Suggested action</source>
        <translation>Vorgeschlagene Aktion</translation>
    </message>
</context>
<context>
    <name>sonde::app::WindowController</name>
    <message>
        <source>1 call is running. Quitting cancels it.</source>
        <translation>1 Aufruf läuft. Beenden bricht ihn ab.</translation>
    </message>
    <message>
        <source>%1 calls are running. Quitting cancels them.</source>
        <translation>%1 Aufrufe laufen. Beenden bricht sie ab.</translation>
    </message>
    <message>
        <source>Quit Sonde</source>
        <translation>Sonde beenden</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>%1 calls are running or waiting. Quitting cancels them.</source>
        <translation>%1 Aufrufe laufen oder warten. Beim Beenden werden sie abgebrochen.</translation>
    </message>
    <message>
        <source>Not saved, only kept in memory: %1. Quitting discards it.</source>
        <translation>Nicht gespeichert, nur im Speicher: %1. Beim Beenden geht das verloren.</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
</context>
<context>
    <name>sonde::app::WindowHost</name>
    <message>
        <source>The language changes when no call is running and no server waits for a response.</source>
        <translation>Die Sprache wechselt, sobald kein Aufruf läuft und kein Server auf eine Antwort wartet.</translation>
    </message>
</context>
<context>
    <name>sonde::app::WindowState</name>
    <message>
        <source>it is damaged</source>
        <translation>die Datei ist beschädigt</translation>
    </message>
    <message>
        <source>it was written by a newer version of Sonde</source>
        <translation>die Datei wurde von einer neueren Version von Sonde geschrieben</translation>
    </message>
</context>
<context>
    <name>sonde::app::Workspace</name>
    <message>
        <source>Demo server</source>
        <translation>Demo-Server</translation>
    </message>
    <message>
        <source>The sign-in of “%1” is still in the keychain</source>
        <translation>Die Anmeldung von „%1“ ist noch im Schlüsselbund</translation>
    </message>
    <message>
        <source>The tokens of “%1” were not revoked</source>
        <translation>Die Token von „%1“ wurden nicht widerrufen</translation>
    </message>
    <message>
        <source>A server with this name already exists.</source>
        <translation>Ein Server mit diesem Namen existiert bereits.</translation>
    </message>
    <message>
        <source>The session %1 cannot be opened</source>
        <translation>Die Sitzung %1 kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>1 part is damaged and was skipped.</source>
        <translation>1 Teil ist beschädigt und wurde übersprungen.</translation>
    </message>
    <message>
        <source>%1 parts are damaged and were skipped.</source>
        <translation>%1 Teile sind beschädigt und wurden übersprungen.</translation>
    </message>
    <message>
        <source> The rest is shown.</source>
        <translation> Der Rest wird angezeigt.</translation>
    </message>
    <message>
        <source>At byte %1: %2</source>
        <translation>Bei Byte %1: %2</translation>
    </message>
    <message>
        <source>At bytes %1: %2</source>
        <translation>Bei den Bytes %1: %2</translation>
    </message>
    <message>
        <source>%1 more; sonde-cli log lists them.</source>
        <translation>%1 weitere; sonde-cli log listet sie auf.</translation>
    </message>
    <message>
        <source>Parts of this session are damaged</source>
        <translation>Teile dieser Sitzung sind beschädigt</translation>
    </message>
</context>
<context>
    <name>sonde::app::WorkspaceItem</name>
    <message>
        <source>recorded %1</source>
        <translation>aufgezeichnet %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source> · built in</source>
        <translation> · eingebaut</translation>
    </message>
</context>
<context>
    <name>sonde::json</name>
    <message>
        <source>Unexpected NUL byte.</source>
        <translation>Unerwartetes NUL-Byte.</translation>
    </message>
    <message>
        <source>Unexpected control character U+%1.</source>
        <translation>Unerwartetes Steuerzeichen U+%1.</translation>
    </message>
    <message>
        <source>Byte 0x%1 is not valid UTF-8.</source>
        <translation>Byte 0x%1 ist kein gültiges UTF-8.</translation>
    </message>
    <message>
        <source>Unexpected &apos;%1&apos;.</source>
        <translation>Unerwartetes &apos;%1&apos;.</translation>
    </message>
    <message>
        <source>The text begins with a byte order mark.</source>
        <translation>Der Text beginnt mit einer Byte Order Mark.</translation>
    </message>
    <message>
        <source>Unexpected text after the value.</source>
        <translation>Unerwarteter Text nach dem Wert.</translation>
    </message>
    <message>
        <source>Expected a value before &apos;%1&apos;.</source>
        <translation>Vor &apos;%1&apos; wird ein Wert erwartet.</translation>
    </message>
    <message>
        <source>Expected a value before &apos;,&apos;.</source>
        <translation>Vor &apos;,&apos; wird ein Wert erwartet.</translation>
    </message>
    <message>
        <source>Expected &apos;,&apos; or &apos;%1&apos;.</source>
        <translation>&apos;,&apos; oder &apos;%1&apos; erwartet.</translation>
    </message>
    <message>
        <source>Expected a property before &apos;%1&apos;.</source>
        <translation>Vor &apos;%1&apos; wird eine Eigenschaft erwartet.</translation>
    </message>
    <message>
        <source>Expected a property before &apos;,&apos;.</source>
        <translation>Vor &apos;,&apos; wird eine Eigenschaft erwartet.</translation>
    </message>
    <message>
        <source>Expected a key before &apos;%1&apos;.</source>
        <translation>Vor &apos;%1&apos; wird ein Schlüssel erwartet.</translation>
    </message>
    <message>
        <source>Expected &apos;:&apos;.</source>
        <translation>&apos;:&apos; erwartet.</translation>
    </message>
    <message>
        <source>Nested deeper than %1 levels; the contents of this container are not read.</source>
        <translation>Tiefer als %1 Ebenen verschachtelt; der Inhalt dieses Containers wird nicht gelesen.</translation>
    </message>
    <message>
        <source>Expected &apos;%2&apos; instead of &apos;%1&apos;.</source>
        <translation>&apos;%2&apos; statt &apos;%1&apos; erwartet.</translation>
    </message>
    <message>
        <source>Duplicate key &apos;%1&apos;; most parsers keep only the last.</source>
        <translation>Doppelter Schlüssel &apos;%1&apos;; die meisten Parser behalten nur den letzten.</translation>
    </message>
    <message>
        <source>Unexpected end of text; expected &apos;%1&apos;.</source>
        <translation>Unerwartetes Textende; &apos;%1&apos; erwartet.</translation>
    </message>
    <message>
        <source>The text is empty.</source>
        <translation>Der Text ist leer.</translation>
    </message>
    <message>
        <source>Further findings not listed: %1</source>
        <translation>Weitere Befunde nicht aufgelistet: %1</translation>
    </message>
    <message>
        <source>Unterminated string.</source>
        <translation>Nicht beendete Zeichenkette.</translation>
    </message>
    <message>
        <source>&apos;\u&apos; must be followed by four hexadecimal digits.</source>
        <translation>Auf &apos;\u&apos; müssen vier Hexadezimalziffern folgen.</translation>
    </message>
    <message>
        <source>Invalid escape sequence.</source>
        <translation>Ungültige Escape-Sequenz.</translation>
    </message>
    <message>
        <source>Unpaired surrogate; most parsers reject it.</source>
        <translation>Ungepaartes Surrogat; die meisten Parser lehnen es ab.</translation>
    </message>
    <message>
        <source>Number outside the range of a 64-bit integer or a double; most parsers read a different value.</source>
        <translation>Zahl außerhalb des Bereichs einer 64-Bit-Ganzzahl oder eines Double; die meisten Parser lesen einen anderen Wert.</translation>
    </message>
    <message>
        <source>Invalid number.</source>
        <translation>Ungültige Zahl.</translation>
    </message>
    <message>
        <source>The text has %1 bytes; the limit is %2.</source>
        <translation>Der Text hat %1 Bytes; die Grenze ist %2.</translation>
    </message>
</context>
<context>
    <name>sonde::schema</name>
    <message>
        <source>unclosed “[”</source>
        <translation>nicht geschlossenes „[“</translation>
    </message>
    <message>
        <source>a quantifier follows another quantifier</source>
        <translation>ein Quantor folgt auf einen anderen Quantor</translation>
    </message>
    <message>
        <source>“%1” is not a valid group</source>
        <translation>„%1“ ist keine gültige Gruppe</translation>
    </message>
    <message>
        <source>it ends in a backslash</source>
        <translation>es endet mit einem Backslash</translation>
    </message>
    <message>
        <source>“\%1” is not a valid escape in ECMA-262</source>
        <translation>„\%1“ ist kein gültiges Escape in ECMA-262</translation>
    </message>
    <message>
        <source>“\u” is not followed by a character&apos;s number</source>
        <translation>auf „\u“ folgt keine Zeichennummer</translation>
    </message>
    <message>
        <source>“\p” is not followed by a property in braces</source>
        <translation>auf „\p“ folgt keine Eigenschaft in geschweiften Klammern</translation>
    </message>
    <message>
        <source>it is too long</source>
        <translation>es ist zu lang</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>eine Zeichenkette</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>eine Ganzzahl</translation>
    </message>
    <message>
        <source>a boolean</source>
        <translation>ein Boolean</translation>
    </message>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>ein Array</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Give %1</source>
        <translation>%1 angeben</translation>
    </message>
    <message>
        <source>, or </source>
        <translation>, oder </translation>
    </message>
    <message>
        <source>Give either %1 or %2</source>
        <translation>Entweder %1 oder %2 angeben</translation>
    </message>
    <message>
        <source>“%1” is %2</source>
        <translation>„%1“ gleich %2 ist</translation>
    </message>
    <message>
        <source>“%1” is given</source>
        <translation>„%1“ angegeben ist</translation>
    </message>
    <message>
        <source>must be at most %1</source>
        <translation>darf höchstens %1 sein</translation>
    </message>
    <message>
        <source>must be at least %1</source>
        <translation>muss mindestens %1 sein</translation>
    </message>
    <message>
        <source>must be less than %1</source>
        <translation>muss kleiner als %1 sein</translation>
    </message>
    <message>
        <source>must be greater than %1</source>
        <translation>muss größer als %1 sein</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>muss eine ganze Zahl sein</translation>
    </message>
    <message>
        <source>must be a multiple of %1</source>
        <translation>muss ein Vielfaches von %1 sein</translation>
    </message>
    <message>
        <source>must have at most %1 character, has %2</source>
        <translation>darf höchstens %1 Zeichen haben, hat %2</translation>
    </message>
    <message>
        <source>must have at most %1 characters, has %2</source>
        <translation>darf höchstens %1 Zeichen haben, hat %2</translation>
    </message>
    <message>
        <source>must have at least %1 character, has %2</source>
        <translation>muss mindestens %1 Zeichen haben, hat %2</translation>
    </message>
    <message>
        <source>must have at least %1 characters, has %2</source>
        <translation>muss mindestens %1 Zeichen haben, hat %2</translation>
    </message>
    <message>
        <source>must have at most %1 item, has %2</source>
        <translation>darf höchstens %1 Element haben, hat %2</translation>
    </message>
    <message>
        <source>must have at most %1 items, has %2</source>
        <translation>darf höchstens %1 Elemente haben, hat %2</translation>
    </message>
    <message>
        <source>must have at least %1 item, has %2</source>
        <translation>muss mindestens %1 Element haben, hat %2</translation>
    </message>
    <message>
        <source>must have at least %1 items, has %2</source>
        <translation>muss mindestens %1 Elemente haben, hat %2</translation>
    </message>
    <message>
        <source>must have at most %1 property, has %2</source>
        <translation>darf höchstens %1 Eigenschaft haben, hat %2</translation>
    </message>
    <message>
        <source>must have at most %1 properties, has %2</source>
        <translation>darf höchstens %1 Eigenschaften haben, hat %2</translation>
    </message>
    <message>
        <source>must have at least %1 property, has %2</source>
        <translation>muss mindestens %1 Eigenschaft haben, hat %2</translation>
    </message>
    <message>
        <source>must have at least %1 properties, has %2</source>
        <translation>muss mindestens %1 Eigenschaften haben, hat %2</translation>
    </message>
    <message>
        <source>must have at most %1 item that %2; it has %3</source>
        <translation>darf höchstens %1 Element haben, das %2; es hat %3</translation>
    </message>
    <message>
        <source>must have at most %1 items each of which %2; it has %3</source>
        <translation>darf höchstens %1 Elemente haben, von denen jedes %2; es hat %3</translation>
    </message>
    <message>
        <source>must have at least %1 item that %2</source>
        <translation>muss mindestens %1 Element haben, das %2</translation>
    </message>
    <message>
        <source>must have at least %1 items each of which %2; it has %3</source>
        <translation>muss mindestens %1 Elemente haben, von denen jedes %2; es hat %3</translation>
    </message>
    <message>
        <source>must not be a multiple of %1</source>
        <translation>darf kein Vielfaches von %1 sein</translation>
    </message>
    <message>
        <source>is %1</source>
        <translation>%1 ist</translation>
    </message>
    <message>
        <source>is at least %1</source>
        <translation>mindestens %1 ist</translation>
    </message>
    <message>
        <source>is at most %1</source>
        <translation>höchstens %1 ist</translation>
    </message>
    <message>
        <source>is greater than %1</source>
        <translation>größer als %1 ist</translation>
    </message>
    <message>
        <source>is less than %1</source>
        <translation>kleiner als %1 ist</translation>
    </message>
    <message>
        <source>is a multiple of %1</source>
        <translation>ein Vielfaches von %1 ist</translation>
    </message>
    <message>
        <source>matches the pattern %1</source>
        <translation>dem Muster %1 entspricht</translation>
    </message>
    <message>
        <source>has %1</source>
        <translation>%1 hat</translation>
    </message>
    <message>
        <source>is “%1”</source>
        <translation>„%1“ ist</translation>
    </message>
    <message>
        <source>must be %1</source>
        <translation>muss %1 sein</translation>
    </message>
    <message>
        <source>cannot have any value</source>
        <translation>kann keinen Wert haben</translation>
    </message>
    <message>
        <source>must be one of %1 and %2 more</source>
        <translation>muss eines sein von %1 und %2 weiteren</translation>
    </message>
    <message>
        <source>must be one of %1</source>
        <translation>muss eines sein von %1</translation>
    </message>
    <message>
        <source> (did you mean “%1”?)</source>
        <translation> (war „%1“ gemeint?)</translation>
    </message>
    <message>
        <source>must not be empty</source>
        <translation>darf nicht leer sein</translation>
    </message>
    <message>
        <source>must match the pattern %1</source>
        <translation>muss dem Muster %1 entsprechen</translation>
    </message>
    <message>
        <source>%1, such as “%2”</source>
        <translation>%1, etwa „%2“</translation>
    </message>
    <message>
        <source>a date and time</source>
        <translation>Datum und Uhrzeit</translation>
    </message>
    <message>
        <source>a date</source>
        <translation>ein Datum</translation>
    </message>
    <message>
        <source>a time</source>
        <translation>eine Uhrzeit</translation>
    </message>
    <message>
        <source>a duration</source>
        <translation>eine Zeitdauer</translation>
    </message>
    <message>
        <source>an email address</source>
        <translation>eine E-Mail-Adresse</translation>
    </message>
    <message>
        <source>a host name</source>
        <translation>ein Hostname</translation>
    </message>
    <message>
        <source>an IPv4 address</source>
        <translation>eine IPv4-Adresse</translation>
    </message>
    <message>
        <source>an IPv6 address</source>
        <translation>eine IPv6-Adresse</translation>
    </message>
    <message>
        <source>a URI</source>
        <translation>eine URI</translation>
    </message>
    <message>
        <source>a URI or a relative reference</source>
        <translation>eine URI oder relative Referenz</translation>
    </message>
    <message>
        <source>an IRI</source>
        <translation>eine IRI</translation>
    </message>
    <message>
        <source>an IRI or a relative reference</source>
        <translation>eine IRI oder relative Referenz</translation>
    </message>
    <message>
        <source>a URI template</source>
        <translation>eine URI-Vorlage</translation>
    </message>
    <message>
        <source>a UUID</source>
        <translation>eine UUID</translation>
    </message>
    <message>
        <source>a JSON Pointer</source>
        <translation>ein JSON-Pointer</translation>
    </message>
    <message>
        <source>a relative JSON Pointer</source>
        <translation>ein relativer JSON-Pointer</translation>
    </message>
    <message>
        <source>a regular expression</source>
        <translation>ein regulärer Ausdruck</translation>
    </message>
    <message>
        <source>must match the format “%1”</source>
        <translation>muss dem Format „%1“ entsprechen</translation>
    </message>
    <message>
        <source>should match the format “%1”</source>
        <translation>sollte dem Format „%1“ entsprechen</translation>
    </message>
    <message>
        <source>must be %1 such as %2</source>
        <translation>muss %1 sein, etwa %2</translation>
    </message>
    <message>
        <source>should be %1 such as %2</source>
        <translation>sollte %1 sein, etwa %2</translation>
    </message>
    <message>
        <source>must be encoded in %1: %2</source>
        <translation>muss in %1 kodiert sein: %2</translation>
    </message>
    <message>
        <source>should be encoded in %1: %2</source>
        <translation>sollte in %1 kodiert sein: %2</translation>
    </message>
    <message>
        <source>must hold a text of the media type %1</source>
        <translation>muss Text des Medientyps %1 enthalten</translation>
    </message>
    <message>
        <source>should hold a text of the media type %1</source>
        <translation>sollte Text des Medientyps %1 enthalten</translation>
    </message>
    <message>
        <source>has the required form</source>
        <translation>die verlangte Form hat</translation>
    </message>
    <message>
        <source>must have unique items: items %1 and %2 are equal</source>
        <translation>muss eindeutige Elemente haben: Element %1 und %2 sind gleich</translation>
    </message>
    <message>
        <source>is required</source>
        <translation>ist erforderlich</translation>
    </message>
    <message>
        <source>is not allowed here</source>
        <translation>ist hier nicht erlaubt</translation>
    </message>
    <message>
        <source>is not allowed here: there can be only 1 item</source>
        <translation>ist hier nicht erlaubt: es kann nur 1 Element geben</translation>
    </message>
    <message>
        <source>is not allowed here: there can be only %1 items</source>
        <translation>ist hier nicht erlaubt: es kann nur %1 Elemente geben</translation>
    </message>
    <message>
        <source>%1 cannot be given</source>
        <translation>%1 darf nicht angegeben werden</translation>
    </message>
    <message>
        <source>%1 cannot both be given</source>
        <translation>%1 dürfen nicht beide angegeben werden</translation>
    </message>
    <message>
        <source>%1 cannot all be given</source>
        <translation>%1 dürfen nicht alle angegeben werden</translation>
    </message>
    <message>
        <source>Neither %1 nor %2 can be given</source>
        <translation>Weder %1 noch %2 darf angegeben werden</translation>
    </message>
    <message>
        <source>None of %1 can be given</source>
        <translation>Keines von %1 darf angegeben werden</translation>
    </message>
    <message>
        <source>must not be %1</source>
        <translation>darf nicht %1 sein</translation>
    </message>
    <message>
        <source>must not match the pattern %1</source>
        <translation>darf nicht dem Muster %1 entsprechen</translation>
    </message>
    <message>
        <source>is not allowed when %1</source>
        <translation>ist nicht erlaubt, wenn %1</translation>
    </message>
    <message>
        <source>has a form that is not allowed</source>
        <translation>hat eine nicht erlaubte Form</translation>
    </message>
    <message>
        <source>must match %1</source>
        <translation>muss %1 entsprechen</translation>
    </message>
    <message>
        <source>must match one of %1 alternatives</source>
        <translation>muss einer von %1 Alternativen entsprechen</translation>
    </message>
    <message>
        <source>Give only one of %1</source>
        <translation>Nur eines von %1 angeben</translation>
    </message>
    <message>
        <source>must match only one of %1</source>
        <translation>darf nur einem von %1 entsprechen</translation>
    </message>
    <message>
        <source>must match only one of %1 alternatives, matches %2</source>
        <translation>darf nur einer von %1 Alternativen entsprechen, entspricht %2</translation>
    </message>
    <message>
        <source>The name “%1” %2</source>
        <translation>Der Name „%1“ %2</translation>
    </message>
    <message>
        <source>%1 when %2</source>
        <translation>%1, wenn %2</translation>
    </message>
    <message>
        <source>%1 unless %2</source>
        <translation>%1, außer wenn %2</translation>
    </message>
    <message>
        <source>not checked: not a valid schema</source>
        <translation>nicht geprüft: kein gültiges Schema</translation>
    </message>
    <message>
        <source>not checked: the schema is nested deeper than %1 levels</source>
        <translation>nicht geprüft: das Schema ist tiefer als %1 Ebenen verschachtelt</translation>
    </message>
    <message>
        <source>not checked: the schema is too large or too complex</source>
        <translation>nicht geprüft: das Schema ist zu groß oder zu komplex</translation>
    </message>
    <message>
        <source>not checked: “%1” cannot be resolved; remote schemas are never fetched</source>
        <translation>nicht geprüft: „%1“ kann nicht aufgelöst werden; entfernte Schemas werden nie abgerufen</translation>
    </message>
    <message>
        <source>not checked: “%1” refers to itself</source>
        <translation>nicht geprüft: „%1“ verweist auf sich selbst</translation>
    </message>
    <message>
        <source>not checked: part of the schema could not be applied</source>
        <translation>nicht geprüft: ein Teil des Schemas konnte nicht angewendet werden</translation>
    </message>
    <message>
        <source>not checked: unknown type “%1”</source>
        <translation>nicht geprüft: unbekannter Typ „%1“</translation>
    </message>
    <message>
        <source>not checked: whether it is a multiple of %1</source>
        <translation>nicht geprüft: ob es ein Vielfaches von %1 ist</translation>
    </message>
    <message>
        <source>not checked: the pattern %1 cannot be used: %2</source>
        <translation>nicht geprüft: das Muster %1 kann nicht verwendet werden: %2</translation>
    </message>
    <message>
        <source>not checked: the pattern %1 takes too long to evaluate</source>
        <translation>nicht geprüft: die Auswertung des Musters %1 dauert zu lange</translation>
    </message>
    <message>
        <source>character %1, “%2”, is not allowed</source>
        <translation>Zeichen %1, „%2“, ist nicht erlaubt</translation>
    </message>
    <message>
        <source>character %1 is behind the padding</source>
        <translation>Zeichen %1 steht hinter dem Padding</translation>
    </message>
    <message>
        <source>the last byte is incomplete</source>
        <translation>das letzte Byte ist unvollständig</translation>
    </message>
    <message>
        <source>it must end with “%1”</source>
        <translation>es muss mit „%1“ enden</translation>
    </message>
    <message>
        <source>it must not end with “=”</source>
        <translation>es darf nicht mit „=“ enden</translation>
    </message>
    <message>
        <source>must be valid JSON</source>
        <translation>muss gültiges JSON sein</translation>
    </message>
    <message>
        <source>should be valid JSON</source>
        <translation>sollte gültiges JSON sein</translation>
    </message>
    <message>
        <source>not checked: “%1” cannot be resolved</source>
        <translation>nicht geprüft: „%1“ kann nicht aufgelöst werden</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AbbreviatedRuns</name>
    <message>
        <source>… %1 more characters …</source>
        <translation>… %1 weitere Zeichen …</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AboutDialog</name>
    <message>
        <source>About Sonde</source>
        <translation>Über Sonde</translation>
    </message>
    <message>
        <source>Native explorer for Model Context Protocol servers</source>
        <translation>Nativer Explorer für Model-Context-Protocol-Server</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>© 2026 The Sonde developers. Sonde is free software under the Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0</source>
        <translation>© 2026 Die Sonde-Entwickler. Sonde ist freie Software unter der Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>Versionen kopieren</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AddressBox</name>
    <message>
        <source>(no host)</source>
        <translation>(kein Host)</translation>
    </message>
    <message>
        <source>Host: %1</source>
        <translation>Host: %1</translation>
    </message>
    <message>
        <source>The whole URL</source>
        <translation>Die ganze URL</translation>
    </message>
    <message>
        <source>Copy URL</source>
        <translation>URL kopieren</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AddressEditor</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <source>Enter a URL to open it in the browser.</source>
        <translation>Eine URL eingeben, um sie im Browser zu öffnen.</translation>
    </message>
    <message>
        <source>This URL is too long to be opened.</source>
        <translation>Diese URL ist zu lang, um geöffnet zu werden.</translation>
    </message>
    <message>
        <source>Open in the browser, after a confirmation</source>
        <translation>Nach einer Bestätigung im Browser öffnen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ApprovalDialog</name>
    <message>
        <source>Start this program?</source>
        <translation>Dieses Programm starten?</translation>
    </message>
    <message>
        <source>Connect to this server?</source>
        <translation>Mit diesem Server verbinden?</translation>
    </message>
    <message>
        <source>“%1” wants to start this program. It runs with your permissions and can read, change or send anything you can.</source>
        <translation>„%1“ möchte dieses Programm starten. Es läuft mit Ihren Rechten und kann alles lesen, ändern oder senden, was Sie können.</translation>
    </message>
    <message>
        <source>“%1” wants to connect to this server. Sonde will send the recorded calls to it.</source>
        <translation>„%1“ möchte eine Verbindung zu diesem Server herstellen. Sonde sendet die aufgezeichneten Aufrufe an ihn.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ApprovalView</name>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>This server has changed since you approved it</source>
        <translation>Dieser Server hat sich seit Ihrer Freigabe geändert</translation>
    </message>
    <message>
        <source>Start this program?</source>
        <translation>Dieses Programm starten?</translation>
    </message>
    <message>
        <source>Connect to this server?</source>
        <translation>Mit diesem Server verbinden?</translation>
    </message>
    <message>
        <source>It runs with your permissions and can read, change or send anything you can.</source>
        <translation>Er läuft mit Ihren Rechten und kann alles lesen, ändern oder senden, was Sie können.</translation>
    </message>
    <message>
        <source>Sonde sends requests to this address.</source>
        <translation>Sonde sendet Anfragen an diese Adresse.</translation>
    </message>
    <message>
        <source>Sonde sends the headers below with every request.</source>
        <translation>Sonde sendet die Header unten mit jeder Anfrage.</translation>
    </message>
    <message>
        <source>Nothing has been started or sent yet. Sonde will ask again if any of this changes.</source>
        <translation>Noch wurde nichts gestartet oder gesendet. Sonde fragt erneut, wenn sich etwas davon ändert.</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ArgumentSuggestions</name>
    <message>
        <source>%1 more; type to narrow the list</source>
        <translation>%1 weitere; tippen, um die Liste einzugrenzen</translation>
    </message>
    <message>
        <source>More; type to narrow the list</source>
        <translation>Weitere; tippen, um die Liste einzugrenzen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::AudioModule</name>
    <message>
        <source>Qt Multimedia has no backend that can be loaded.</source>
        <translation>Qt Multimedia hat kein ladbares Backend.</translation>
    </message>
    <message>
        <source>There is no sound device.</source>
        <translation>Es gibt kein Audiogerät.</translation>
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
        <translation>Audio</translation>
    </message>
    <message>
        <source>Open in player</source>
        <translation>Im Player öffnen</translation>
    </message>
    <message>
        <source>Open in another program</source>
        <translation>In anderem Programm öffnen</translation>
    </message>
    <message>
        <source>Sonde&apos;s audio player is not installed. Open the audio in another program, or save it.</source>
        <translation>Der Audioplayer von Sonde ist nicht installiert. Das Audio in einem anderen Programm öffnen oder speichern.</translation>
    </message>
    <message>
        <source>Not recognized as audio. You can save it.</source>
        <translation>Nicht als Audio erkannt. Es kann gespeichert werden.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Pause audio</source>
        <translation>Audio anhalten</translation>
    </message>
    <message>
        <source>Play audio</source>
        <translation>Audio abspielen</translation>
    </message>
    <message>
        <source>Cannot be played. %1</source>
        <translation>Kann nicht abgespielt werden. %1</translation>
    </message>
    <message>
        <source>Not opened: %1</source>
        <translation>Nicht geöffnet: %1</translation>
    </message>
    <message>
        <source>Not opened: no program for audio files was found. Save it instead.</source>
        <translation>Nicht geöffnet: Kein Programm für Audiodateien gefunden. Stattdessen speichern.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::BooleanEditor</name>
    <message>
        <source>Omitted</source>
        <translation>Weggelassen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::BytesText</name>
    <message>
        <source>… 1 more byte</source>
        <translation>… 1 weiteres Byte</translation>
    </message>
    <message>
        <source>… %1 more bytes</source>
        <translation>… %1 weitere Bytes</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallFolderChoice</name>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>No folder chosen</source>
        <translation>Kein Ordner gewählt</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>Ordner wählen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Choose a folder, such as one next to the server&apos;s source code.</source>
        <translation>Einen Ordner wählen, etwa neben dem Quelltext des Servers.</translation>
    </message>
    <message>
        <source>Folder of saved calls</source>
        <translation>Ordner der gespeicherten Aufrufe</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallHistoryModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>(no arguments)</source>
        <translation>(keine Argumente)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallHistoryView</name>
    <message>
        <source>Previous calls</source>
        <translation>Frühere Aufrufe</translation>
    </message>
    <message>
        <source>Compare with the shown response</source>
        <translation>Mit der angezeigten Antwort vergleichen</translation>
    </message>
    <message>
        <source>Compare with the call before it</source>
        <translation>Mit dem Aufruf davor vergleichen</translation>
    </message>
    <message>
        <source>Restore arguments</source>
        <translation>Argumente wiederherstellen</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>Als gespeicherten Aufruf sichern&#xa0;…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallPanel</name>
    <message>
        <source>Call at %1</source>
        <translation>Aufruf um %1</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Formular</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beides</translation>
    </message>
    <message>
        <source>Form and JSON</source>
        <translation>Formular und JSON</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Copy as ▾</source>
        <translation>Kopieren als ▾</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>Kopieren als</translation>
    </message>
    <message>
        <source>Arguments as JSON</source>
        <translation>Argumente als JSON</translation>
    </message>
    <message>
        <source>sonde-cli command</source>
        <translation>sonde-cli-Befehl</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>Als gespeicherten Aufruf sichern&#xa0;…</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>Show the inputSchema of this tool</source>
        <translation>inputSchema dieses Tools anzeigen</translation>
    </message>
    <message>
        <source>Fill with example</source>
        <translation>Mit Beispiel füllen</translation>
    </message>
    <message>
        <source>Replace the arguments with a value that the schema allows</source>
        <translation>Die Argumente durch einen Wert ersetzen, den das Schema zulässt</translation>
    </message>
    <message>
        <source>No example was found that this schema allows.</source>
        <translation>Es wurde kein Beispiel gefunden, das dieses Schema zulässt.</translation>
    </message>
    <message>
        <source>Filled in from your last call.</source>
        <translation>Aus Ihrem letzten Aufruf übernommen.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Previous calls</source>
        <translation>Frühere Aufrufe</translation>
    </message>
    <message>
        <source>Click to show the response; double-click to restore the arguments</source>
        <translation>Klick zeigt die Antwort; Doppelklick stellt die Argumente wieder her</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>(kein Name)</translation>
    </message>
    <message>
        <source>%1 This tool cannot be called over HTTP. %2</source>
        <translation>%1 Dieses Tool kann nicht über HTTP aufgerufen werden. %2</translation>
    </message>
    <message>
        <source>%1  Ctrl+↵</source>
        <translation>%1  Strg+↵</translation>
    </message>
    <message>
        <source>The server suggests values as you type. Ctrl+Space asks for them.</source>
        <translation>Der Server schlägt während der Eingabe Werte vor. Strg+Leertaste fordert sie an.</translation>
    </message>
    <message>
        <source>No longer offered by the server.</source>
        <translation>Vom Server nicht mehr angeboten.</translation>
    </message>
    <message>
        <source>The result will appear here. Press Ctrl+Enter to call.</source>
        <translation>Das Ergebnis erscheint hier. Zum Aufrufen Strg+Eingabe drücken.</translation>
    </message>
    <message>
        <source>This tool cannot be called over HTTP.</source>
        <translation>Dieses Tool kann nicht über HTTP aufgerufen werden.</translation>
    </message>
    <message>
        <source>The JSON is no object. The form shows the last value that was one.</source>
        <translation>Das JSON ist kein Objekt. Das Formular zeigt den letzten Wert, der eines war.</translation>
    </message>
    <message>
        <source>Fix the JSON to edit the form: %1. The form shows the last valid value.</source>
        <translation>Das JSON korrigieren, um das Formular zu bearbeiten: %1. Das Formular zeigt den letzten gültigen Wert.</translation>
    </message>
    <message>
        <source>The form needs a JSON object.</source>
        <translation>Das Formular braucht ein JSON-Objekt.</translation>
    </message>
    <message>
        <source>Fix the JSON first: %1</source>
        <translation>Zuerst das JSON korrigieren: %1</translation>
    </message>
    <message>
        <source>not callable over HTTP</source>
        <translation>über HTTP nicht aufrufbar</translation>
    </message>
    <message>
        <source>Not valid JSON: %1</source>
        <translation>Kein gültiges JSON: %1</translation>
    </message>
    <message>
        <source>Reads %1</source>
        <translation>Liest %1</translation>
    </message>
    <message>
        <source>Cancelled by you.</source>
        <translation>Von Ihnen abgebrochen.</translation>
    </message>
    <message>
        <source>Connection lost during the call.</source>
        <translation>Verbindung während des Aufrufs verloren.</translation>
    </message>
    <message>
        <source>Interrupted: the server was restarted.</source>
        <translation>Unterbrochen: Der Server wurde neu gestartet.</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1: %2 %3</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallQuestion</name>
    <message>
        <source>It is annotated as destructive (destructiveHint).</source>
        <translation>Es ist als destruktiv annotiert (destructiveHint).</translation>
    </message>
    <message>
        <source>It is no longer annotated as read-only, so it may be destructive.</source>
        <translation>Es ist nicht mehr als nur lesend annotiert, kann also destruktiv sein.</translation>
    </message>
    <message>
        <source>It has no annotations, so it may be destructive.</source>
        <translation>Es hat keine Annotationen, kann also destruktiv sein.</translation>
    </message>
    <message>
        <source>It is annotated as writing, but not as destructive.</source>
        <translation>Es ist als schreibend, aber nicht als destruktiv annotiert.</translation>
    </message>
    <message>
        <source>It is annotated as read-only.</source>
        <translation>Es ist als nur lesend annotiert.</translation>
    </message>
    <message>
        <source>Show what changed</source>
        <translation>Änderungen anzeigen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Call anyway</source>
        <translation>Trotzdem aufrufen</translation>
    </message>
    <message>
        <source>Mark as seen</source>
        <translation>Als gesehen markieren</translation>
    </message>
    <message>
        <source>What changed about the tool</source>
        <translation>Was sich am Tool geändert hat</translation>
    </message>
    <message>
        <source>Call %1?</source>
        <translation>%1 aufrufen?</translation>
    </message>
    <message>
        <source>It has changed since you last saw it.</source>
        <translation>Es hat sich geändert, seit Sie es zuletzt gesehen haben.</translation>
    </message>
    <message>
        <source>This tool has changed since you last saw it</source>
        <translation>Dieses Tool hat sich geändert, seit Sie es zuletzt gesehen haben</translation>
    </message>
    <message>
        <source>What changed about %1</source>
        <translation>Was sich an %1 geändert hat</translation>
    </message>
    <message>
        <source>Do not ask again for this tool</source>
        <translation>Für dieses Tool nicht mehr fragen</translation>
    </message>
    <message>
        <source>Sonde asks again when its definition changes.</source>
        <translation>Sonde fragt wieder, wenn sich seine Definition ändert.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallStep</name>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>nicht gesendet</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>As expected: %1, after %2.</source>
        <translation>Wie erwartet: %1, nach %2.</translation>
    </message>
    <message>
        <source>Not run: the suite was stopped.</source>
        <translation>Nicht ausgeführt: Die Suite wurde gestoppt.</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>No call selected</source>
        <translation>Kein Aufruf ausgewählt</translation>
    </message>
    <message>
        <source>Select a call on the left to see its result.</source>
        <translation>Links einen Aufruf auswählen, um sein Ergebnis zu sehen.</translation>
    </message>
    <message>
        <source>%1: expected and received</source>
        <translation>%1: erwartet und empfangen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallSubject</name>
    <message>
        <source>The page of an app that a chat client would run. Sonde shows its source and does not run it.</source>
        <translation>Die Seite einer App, die ein Chat-Client ausführen würde. Sonde zeigt ihren Quelltext und führt sie nicht aus.</translation>
    </message>
    <message>
        <source>Instructions that a chat client would give to its model.</source>
        <translation>Anweisungen, die ein Chat-Client seinem Modell geben würde.</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufrufen</translation>
    </message>
    <message>
        <source>Its results have a view of their own, %1. Sonde shows the source of such an app and does not run it.</source>
        <translation>Die Ergebnisse haben eine eigene Ansicht, %1. Sonde zeigt den Quelltext einer solchen App und führt sie nicht aus.</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>Abrufen</translation>
    </message>
    <message>
        <source>There is nothing to call here.</source>
        <translation>Hier gibt es nichts aufzurufen.</translation>
    </message>
    <message>
        <source>This page shows definition %1 of %2. A call contains only the name: the server decides which of them it reaches.</source>
        <translation>Diese Seite zeigt Definition %1 von %2. Ein Aufruf enthält nur den Namen: Der Server entscheidet, welche davon er erreicht.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallTools</name>
    <message>
        <source>Call statistics</source>
        <translation>Aufrufstatistik</translation>
    </message>
    <message>
        <source>Call statistics: number, outcome and duration of the calls of each tool (%1)</source>
        <translation>Aufrufstatistik: Anzahl, Ausgang und Dauer der Aufrufe jedes Tools (%1)</translation>
    </message>
    <message>
        <source>Show only this call</source>
        <translation>Nur diesen Aufruf anzeigen</translation>
    </message>
    <message>
        <source>Show all calls</source>
        <translation>Alle Aufrufe anzeigen</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>Ausklappen</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>Einklappen</translation>
    </message>
    <message>
        <source>Expand all calls</source>
        <translation>Alle Aufrufe ausklappen</translation>
    </message>
    <message>
        <source>Collapse all calls</source>
        <translation>Alle Aufrufe einklappen</translation>
    </message>
    <message>
        <source>Call statistics…</source>
        <translation>Aufrufstatistik&#xa0;…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Calls</name>
    <message>
        <source>response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>server request</source>
        <translation>Server-Anfrage</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>Eingabe nötig</translation>
    </message>
    <message>
        <source>retry</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>task poll</source>
        <translation>Task-Abfrage</translation>
    </message>
    <message>
        <source>task status</source>
        <translation>Task-Status</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>transport</source>
        <translation>Transport</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>Um %1</translation>
    </message>
    <message>
        <source>Started at %1</source>
        <translation>Gestartet um %1</translation>
    </message>
    <message>
        <source>First byte after %1</source>
        <translation>Erstes Byte nach %1</translation>
    </message>
    <message>
        <source>No response yet</source>
        <translation>Noch keine Antwort</translation>
    </message>
    <message>
        <source>Running for %1</source>
        <translation>Läuft seit %1</translation>
    </message>
    <message>
        <source>Took %1</source>
        <translation>Dauerte %1</translation>
    </message>
    <message>
        <source>Waiting for user: %1</source>
        <translation>Wartezeit auf Benutzer: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CallsModel</name>
    <message>
        <source>≈ inferred</source>
        <translation>≈ erschlossen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ChoiceEditor</name>
    <message>
        <source>%1 (not in the list)</source>
        <translation>%1 (nicht in der Liste)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CollapsibleText</name>
    <message>
        <source>Show less</source>
        <translation>Weniger anzeigen</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr anzeigen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareDetails</name>
    <message>
        <source>What changed</source>
        <translation>Was sich geändert hat</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareDialog</name>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Open sessions</source>
        <translation>Geöffnete Sitzungen</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>Aufgezeichnete Sitzungen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>%1, filter</source>
        <translation>%1, filtern</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Session file…</source>
        <translation>Sitzungsdatei&#xa0;…</translation>
    </message>
    <message>
        <source>%1, choose a session file</source>
        <translation>%1, Sitzungsdatei wählen</translation>
    </message>
    <message>
        <source>Compare with a session</source>
        <translation>Mit einer Sitzung vergleichen</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>Sitzungen (*.mcpsession);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>No servers or sessions yet. Connect to a server first.</source>
        <translation>Noch keine Server oder Sitzungen. Zuerst mit einem Server verbinden.</translation>
    </message>
    <message>
        <source>Choose two different servers or sessions.</source>
        <translation>Zwei verschiedene Server oder Sitzungen wählen.</translation>
    </message>
    <message>
        <source>Choose a server or session on each side.</source>
        <translation>Auf jeder Seite einen Server oder eine Sitzung wählen.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareEntry</name>
    <message>
        <source>Handshake</source>
        <translation>Handshake</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>Fähigkeiten</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Tools</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>◆ unknown</source>
        <translation>◆ unbekannt</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareList</name>
    <message>
        <source>Filter the differences</source>
        <translation>Unterschiede filtern</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All differences</source>
        <translation>Alle Unterschiede</translation>
    </message>
    <message>
        <source>Breaking</source>
        <translation>Inkompatibel</translation>
    </message>
    <message>
        <source>Breaking differences only</source>
        <translation>Nur inkompatible Unterschiede</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter 1 difference…</source>
        <translation>1 Unterschied filtern&#xa0;…</translation>
    </message>
    <message>
        <source>Filter %1 differences…</source>
        <translation>%1 Unterschiede filtern&#xa0;…</translation>
    </message>
    <message>
        <source>No breaking differences.</source>
        <translation>Keine inkompatiblen Unterschiede.</translation>
    </message>
    <message>
        <source>No differences match the filter.</source>
        <translation>Kein Unterschied entspricht dem Filter.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CompareModel</name>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>Nicht verglichen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 Unterschied</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 Unterschiede</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ComparePanel</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 Tool</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 Tools</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 Ressource</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 Ressourcen</translation>
    </message>
    <message>
        <source>1 template</source>
        <translation>1 Vorlage</translation>
    </message>
    <message>
        <source>%1 templates</source>
        <translation>%1 Vorlagen</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 Prompt</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 Prompts</translation>
    </message>
    <message>
        <source>the handshake</source>
        <translation>der Handshake</translation>
    </message>
    <message>
        <source>the capabilities</source>
        <translation>die Fähigkeiten</translation>
    </message>
    <message>
        <source>the launch settings</source>
        <translation>die Starteinstellungen</translation>
    </message>
    <message>
        <source>live</source>
        <translation>live</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>aufgezeichnet</translation>
    </message>
    <message>
        <source>version %1</source>
        <translation>Version %1</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>Erneut vergleichen</translation>
    </message>
    <message>
        <source>Loading both sides…</source>
        <translation>Beide Seiten werden geladen&#xa0;…</translation>
    </message>
    <message>
        <source>Swap sides</source>
        <translation>Seiten tauschen</translation>
    </message>
    <message>
        <source>Swap before and after</source>
        <translation>Vorher und Nachher tauschen</translation>
    </message>
    <message>
        <source>Live servers are compared again automatically when their offering changes</source>
        <translation>Live-Server werden automatisch erneut verglichen, wenn sich ihr Angebot ändert</translation>
    </message>
    <message>
        <source>%1 ⇄ %2</source>
        <translation>%1 ⇄ %2</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen&#xa0;…</translation>
    </message>
    <message>
        <source>Both sides are being loaded and compared in the background.</source>
        <translation>Beide Seiten werden im Hintergrund geladen und verglichen.</translation>
    </message>
    <message>
        <source>≠ %1 changed</source>
        <translation>≠ %1 geändert</translation>
    </message>
    <message>
        <source>+ %1 added</source>
        <translation>+ %1 hinzugefügt</translation>
    </message>
    <message>
        <source>− %1 removed</source>
        <translation>− %1 entfernt</translation>
    </message>
    <message>
        <source>Before: %1 cannot be compared</source>
        <translation>Vorher: %1 nicht vergleichbar</translation>
    </message>
    <message>
        <source>After: %1 cannot be compared</source>
        <translation>Nachher: %1 nicht vergleichbar</translation>
    </message>
    <message>
        <source>✓ No differences</source>
        <translation>✓ Keine Unterschiede</translation>
    </message>
    <message>
        <source>Identical on both sides: %1.</source>
        <translation>Auf beiden Seiten identisch: %1.</translation>
    </message>
    <message>
        <source>✓ No differences in what could be compared.</source>
        <translation>✓ Keine Unterschiede in dem, was verglichen werden konnte.</translation>
    </message>
    <message>
        <source>Identical launch settings.</source>
        <translation>Identische Starteinstellungen.</translation>
    </message>
    <message>
        <source>Launch settings differ in 1 place.</source>
        <translation>Starteinstellungen unterscheiden sich an 1 Stelle.</translation>
    </message>
    <message>
        <source>Launch settings differ in %1 places.</source>
        <translation>Starteinstellungen unterscheiden sich an %1 Stellen.</translation>
    </message>
    <message>
        <source>✓ Same offering: %1.</source>
        <translation>✓ Gleiches Angebot: %1.</translation>
    </message>
    <message>
        <source>✕ 1 difference can break clients of %1.</source>
        <translation>✕ 1 Unterschied kann mit Clients von %1 inkompatibel sein.</translation>
    </message>
    <message>
        <source>✕ %1 differences can break clients of %2.</source>
        <translation>✕ %1 Unterschiede können mit Clients von %2 inkompatibel sein.</translation>
    </message>
    <message>
        <source>? No certain breaking changes; 1 difference needs review.</source>
        <translation>? Keine sicher inkompatiblen Änderungen; 1 Unterschied ist zu prüfen.</translation>
    </message>
    <message>
        <source>? No certain breaking changes; %1 differences need review.</source>
        <translation>? Keine sicher inkompatiblen Änderungen; %1 Unterschiede sind zu prüfen.</translation>
    </message>
    <message>
        <source>✓ No breaking changes for clients of %1.</source>
        <translation>✓ Keine inkompatiblen Änderungen für Clients von %1.</translation>
    </message>
    <message>
        <source>? Unknown whether this can break clients of %1: not all lists could be compared.</source>
        <translation>? Unbekannt, ob dies mit Clients von %1 inkompatibel ist: Nicht alle Listen konnten verglichen werden.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ComparisonWindow</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Compared part</source>
        <translation>Verglichener Teil</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen&#xa0;…</translation>
    </message>
    <message>
        <source>Not compared: both sides must be JSON.</source>
        <translation>Nicht verglichen: Beide Seiten müssen JSON sein.</translation>
    </message>
    <message>
        <source>Identical bytes</source>
        <translation>Identische Bytes</translation>
    </message>
    <message>
        <source>Identical except for whitespace or key order</source>
        <translation>Identisch bis auf Leerraum oder Reihenfolge der Schlüssel</translation>
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
        <translation>Gesetzt</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>Weggelassen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ContentBlock</name>
    <message>
        <source>unknown content type</source>
        <translation>unbekannter Inhaltstyp</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>für %1</translation>
    </message>
    <message>
        <source>priority %1</source>
        <translation>Priorität %1</translation>
    </message>
    <message>
        <source>modified %1</source>
        <translation>geändert %1</translation>
    </message>
    <message>
        <source>Read resource</source>
        <translation>Ressource lesen</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>Link öffnen&#xa0;…</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Open in player</source>
        <translation>Im Player öffnen</translation>
    </message>
    <message>
        <source>Copy image</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Copy URI</source>
        <translation>URI kopieren</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Copy content block as JSON</source>
        <translation>Inhaltsblock als JSON kopieren</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter&#xa0;…</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>Ressource</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>Ressource</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Read the linked resource</source>
        <translation>Die verlinkte Ressource lesen</translation>
    </message>
    <message>
        <source>Decoding %1…</source>
        <translation>%1 wird dekodiert&#xa0;…</translation>
    </message>
    <message>
        <source>image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>audio</source>
        <translation>Audio</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Image, %1 by %2</source>
        <translation>Bild, %1 mal %2</translation>
    </message>
    <message>
        <source>Not copied: %1</source>
        <translation>Nicht kopiert: %1</translation>
    </message>
    <message>
        <source>Save as a file</source>
        <translation>Als Datei speichern</translation>
    </message>
    <message>
        <source>The text is the same as structuredContent.</source>
        <translation>Der Text ist identisch mit structuredContent.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Show the text that is the same as structuredContent</source>
        <translation>Den mit structuredContent identischen Text anzeigen</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>sonde::ui::CopyActions</name>
    <message>
        <source>Copy value</source>
        <translation>Wert kopieren</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>Als JSON kopieren</translation>
    </message>
    <message>
        <source>Copy JSON pointer</source>
        <translation>JSON-Pointer kopieren</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DescriptionLabel</name>
    <message>
        <source>Show more</source>
        <translation>Mehr anzeigen</translation>
    </message>
    <message>
        <source>Show the full description</source>
        <translation>Vollständige Beschreibung anzeigen</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger anzeigen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DifferenceModel</name>
    <message>
        <source>(whole value)</source>
        <translation>(gesamter Wert)</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DifferenceTable</name>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Copy value before</source>
        <translation>Wert vorher kopieren</translation>
    </message>
    <message>
        <source>Copy value after</source>
        <translation>Wert nachher kopieren</translation>
    </message>
</context>
<context>
    <name>sonde::ui::DragHandle</name>
    <message>
        <source>Drag to move (%1, %2)</source>
        <translation>Zum Verschieben ziehen (%1, %2)</translation>
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
        <translation>Standard %1</translation>
    </message>
    <message>
        <source>not sent while empty</source>
        <translation>wird leer nicht gesendet</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Export</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>Der Ordner %1 existiert nicht.</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>Einen anderen wählen.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ExportDialog</name>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen&#xa0;…</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>JSON Lines: one message per line</source>
        <translation>JSON Lines: eine Nachricht pro Zeile</translation>
    </message>
    <message>
        <source>HAR: HTTP exchanges for other tools</source>
        <translation>HAR: HTTP-Austausche für andere Programme</translation>
    </message>
    <message>
        <source>Markdown: readable report</source>
        <translation>Markdown: lesbarer Bericht</translation>
    </message>
    <message>
        <source>HTML: single page for a bug report</source>
        <translation>HTML: einzelne Seite für einen Fehlerbericht</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>Einträge</translation>
    </message>
    <message>
        <source>All records</source>
        <translation>Alle Einträge</translation>
    </message>
    <message>
        <source>All %1 records</source>
        <translation>Alle %1 Einträge</translation>
    </message>
    <message>
        <source>Records shown in the timeline</source>
        <translation>In der Zeitleiste angezeigte Einträge</translation>
    </message>
    <message>
        <source>Selected record</source>
        <translation>Ausgewählter Eintrag</translation>
    </message>
    <message>
        <source>%1 selected records</source>
        <translation>%1 ausgewählte Einträge</translation>
    </message>
    <message>
        <source>Additional words to redact</source>
        <translation>Zusätzlich zu schwärzende Wörter</translation>
    </message>
    <message>
        <source>Names, keys, addresses; separated by commas</source>
        <translation>Namen, Schlüssel, Adressen; durch Kommas getrennt</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Also redact</source>
        <translation>Auch schwärzen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Redacted values</source>
        <translation>Geschwärzte Werte</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Occurrences</source>
        <translation>Vorkommen</translation>
    </message>
    <message>
        <source>Replacement</source>
        <translation>Ersatz</translation>
    </message>
    <message>
        <source>Contains HTTP exchanges only; nothing from stdio servers.</source>
        <translation>Enthält nur HTTP-Austausche, nichts von stdio-Servern.</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>Exportieren nach</translation>
    </message>
    <message>
        <source>Words shorter than four characters are not redacted.</source>
        <translation>Wörter mit weniger als vier Zeichen werden nicht geschwärzt.</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>Nicht exportiert</translation>
    </message>
    <message>
        <source>%1 is a folder. Enter a file name.</source>
        <translation>%1 ist ein Ordner. Einen Dateinamen eingeben.</translation>
    </message>
    <message>
        <source>This file already exists</source>
        <translation>Diese Datei existiert bereits</translation>
    </message>
    <message>
        <source>Scanning for secrets…</source>
        <translation>Suche nach Geheimnissen&#xa0;…</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>Wird exportiert&#xa0;…</translation>
    </message>
    <message>
        <source>The session cannot be read</source>
        <translation>Die Sitzung kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>No HTTP exchanges among these records</source>
        <translation>Keine HTTP-Austausche unter diesen Einträgen</translation>
    </message>
    <message>
        <source>The HAR file would be empty. Choose another format.</source>
        <translation>Die HAR-Datei wäre leer. Ein anderes Format wählen.</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>Exportiert</translation>
    </message>
    <message>
        <source>%1, first in #%2</source>
        <translation>%1, zuerst in #%2</translation>
    </message>
    <message>
        <source>No secrets detected. Review the file before you share it.</source>
        <translation>Keine Geheimnisse erkannt. Die Datei vor dem Weitergeben prüfen.</translation>
    </message>
    <message>
        <source>%1 redacted, in %2</source>
        <translation>%1 geschwärzt, an %2</translation>
    </message>
    <message>
        <source>1 secret is</source>
        <translation>1 Geheimnis</translation>
    </message>
    <message>
        <source>%1 secrets are</source>
        <translation>%1 Geheimnisse</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 Stelle</translation>
    </message>
    <message>
        <source>%1 places</source>
        <translation>%1 Stellen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Field</name>
    <message>
        <source>secret (detected)</source>
        <translation>Geheimnis (erkannt)</translation>
    </message>
    <message>
        <source>read-only, not sent</source>
        <translation>schreibgeschützt, wird nicht gesendet</translation>
    </message>
    <message>
        <source>required</source>
        <translation>erforderlich</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>Weggelassen</translation>
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
        <translation>Gesetzt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Set, omit or null this argument</source>
        <translation>Dieses Argument setzen, weglassen oder auf null setzen</translation>
    </message>
    <message>
        <source>Collapse %1</source>
        <translation>%1 einklappen</translation>
    </message>
    <message>
        <source>Expand %1</source>
        <translation>%1 ausklappen</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Standard: %1</translation>
    </message>
    <message>
        <source>Example: %1</source>
        <translation>Beispiel: %1</translation>
    </message>
    <message>
        <source>Edit as JSON</source>
        <translation>Als JSON bearbeiten</translation>
    </message>
    <message>
        <source>Server: %1</source>
        <translation>Server: %1</translation>
    </message>
    <message>
        <source>arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>schreibgeschützt</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldColumn</name>
    <message>
        <source>Show %1 more (%2 hidden)</source>
        <translation>%1 weitere anzeigen (%2 ausgeblendet)</translation>
    </message>
    <message>
        <source>Show %1 more</source>
        <translation>%1 weitere anzeigen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldFind</name>
    <message>
        <source>Searching…</source>
        <translation>Suche&#xa0;…</translation>
    </message>
    <message>
        <source>No field of %1</source>
        <translation>Kein Feld von %1</translation>
    </message>
    <message>
        <source>%1 of %2 · %3 fields</source>
        <translation>%1 von %2 · %3 Felder</translation>
    </message>
    <message>
        <source>%1 of %2 fields</source>
        <translation>%1 von %2 Feldern</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldFindBar</name>
    <message>
        <source>Required</source>
        <translation>Erforderlich</translation>
    </message>
    <message>
        <source>Only required fields</source>
        <translation>Nur erforderliche Felder</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Gesetzt</translation>
    </message>
    <message>
        <source>Only fields that are set</source>
        <translation>Nur gesetzte Felder</translation>
    </message>
    <message>
        <source>Find field</source>
        <translation>Feld suchen</translation>
    </message>
    <message>
        <source>Name, title or description of a field</source>
        <translation>Name, Titel oder Beschreibung eines Feldes</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FieldPlace</name>
    <message>
        <source>new item</source>
        <translation>neues Element</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FileContent</name>
    <message>
        <source>%1 has %2. A message can carry a file of at most %3.</source>
        <translation>%1 hat %2. Eine Nachricht kann eine Datei von höchstens %3 enthalten.</translation>
    </message>
    <message>
        <source>Load file…</source>
        <translation>Datei laden&#xa0;…</translation>
    </message>
    <message>
        <source>Replace the value with the content of a file, encoded. You can also drop a file here.</source>
        <translation>Den Wert durch den kodierten Inhalt einer Datei ersetzen. Eine Datei kann auch hier abgelegt werden.</translation>
    </message>
    <message>
        <source>Drop one file of this computer.</source>
        <translation>Eine Datei dieses Computers ablegen.</translation>
    </message>
    <message>
        <source>Load file</source>
        <translation>Datei laden</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>There is not enough memory for %1.</source>
        <translation>Für %1 ist nicht genug Arbeitsspeicher vorhanden.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FilterLine</name>
    <message>
        <source>Not applied; all rows shown.</source>
        <translation>Nicht angewendet; alle Zeilen werden angezeigt.</translation>
    </message>
    <message>
        <source>Not applied; still filtering by %1</source>
        <translation>Nicht angewendet; weiterhin gefiltert nach %1</translation>
    </message>
    <message>
        <source>At character %1: %2 %3</source>
        <translation>Bei Zeichen %1: %2 %3</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FilterMenu</name>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>Violett</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>Rot</translation>
    </message>
    <message>
        <source>Turquoise</source>
        <translation>Türkis</translation>
    </message>
    <message>
        <source>Saved filters and highlights</source>
        <translation>Gespeicherte Filter und Hervorhebungen</translation>
    </message>
    <message>
        <source>No saved filters</source>
        <translation>Keine gespeicherten Filter</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>Filter speichern</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Highlight matching rows</source>
        <translation>Passende Zeilen hervorheben</translation>
    </message>
    <message>
        <source>Remove highlight</source>
        <translation>Hervorhebung entfernen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FindBar</name>
    <message>
        <source>Previous match (%1)</source>
        <translation>Vorheriger Treffer (%1)</translation>
    </message>
    <message>
        <source>Next match (%1)</source>
        <translation>Nächster Treffer (%1)</translation>
    </message>
    <message>
        <source>Close (%1)</source>
        <translation>Schließen (%1)</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>Auf dieser Seite suchen</translation>
    </message>
    <message>
        <source>Text to find</source>
        <translation>Suchtext</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FindingsList</name>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Show all findings</source>
        <translation>Alle Befunde anzeigen</translation>
    </message>
    <message>
        <source>Show %1 more</source>
        <translation>%1 weitere anzeigen</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Finding: %1</source>
        <translation>Befund: %1</translation>
    </message>
    <message>
        <source>Copy finding</source>
        <translation>Befund kopieren</translation>
    </message>
    <message>
        <source>Copy all findings</source>
        <translation>Alle Befunde kopieren</translation>
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
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 anzeigen</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Form</name>
    <message>
        <source>1 item</source>
        <translation>1 Element</translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation>%1 Elemente</translation>
    </message>
    <message>
        <source>Show secret</source>
        <translation>Geheimnis anzeigen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FormBody</name>
    <message>
        <source>%1 %2 looks like a secret. A server must not ask for secrets in a form.</source>
        <translation>%1 %2 sieht nach einem Geheimnis aus. Ein Server darf in einem Formular nicht nach Geheimnissen fragen.</translation>
    </message>
    <message>
        <source>This form has no fields.</source>
        <translation>Dieses Formular hat keine Felder.</translation>
    </message>
    <message>
        <source>elicitation</source>
        <translation>Elicitation</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>Standardwerte</translation>
    </message>
</context>
<context>
    <name>sonde::ui::FoundContext</name>
    <message>
        <source>In the abbreviated part: %1</source>
        <translation>Im gekürzten Teil: %1</translation>
    </message>
    <message>
        <source>In the abbreviated part:</source>
        <translation>Im gekürzten Teil:</translation>
    </message>
</context>
<context>
    <name>sonde::ui::GotoPalette</name>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>Go to tool, resource, prompt, server, session or command…</source>
        <translation>Gehe zu Tool, Ressource, Prompt, Server, Sitzung oder Befehl&#xa0;…</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>Kein Treffer für „%1“</translation>
    </message>
    <message>
        <source>Search by any part of the name of a server, session, tool, resource, prompt or command.</source>
        <translation>Suche nach einem beliebigen Teil des Namens eines Servers, einer Sitzung, eines Tools, einer Ressource, eines Prompts oder eines Befehls.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::GuidedWalk</name>
    <message>
        <source>Enter two numbers in “add” and press Ctrl+Enter.</source>
        <translation>In „add“ zwei Zahlen eingeben und Strg+Eingabe drücken.</translation>
    </message>
    <message>
        <source>Call “fail”: it runs, and reports an error that a model would see.</source>
        <translation>„fail“ aufrufen: Es läuft und meldet einen Fehler, den ein Modell sehen würde.</translation>
    </message>
    <message>
        <source>Call “add” without b. Then click the error, enter a number and call again.</source>
        <translation>„add“ ohne b aufrufen. Dann auf den Fehler klicken, eine Zahl eingeben und erneut aufrufen.</translation>
    </message>
    <message>
        <source>Call “ask-form”: the server asks you for something in the middle of the call.</source>
        <translation>„ask-form“ aufrufen: Der Server bittet Sie mitten im Aufruf um etwas.</translation>
    </message>
    <message>
        <source>Select a row of the timeline to see the message as it was sent.</source>
        <translation>Eine Zeile der Zeitleiste auswählen, um die Nachricht so zu sehen, wie sie gesendet wurde.</translation>
    </message>
    <message>
        <source>Type “tool == fail” into the filter of the timeline.</source>
        <translation>„tool == fail“ in den Filter der Zeitleiste eingeben.</translation>
    </message>
    <message>
        <source>Open “greeting”: a resource is read when its tab opens.</source>
        <translation>„greeting“ öffnen: Eine Ressource wird gelesen, wenn ihr Tab geöffnet wird.</translation>
    </message>
    <message>
        <source>Send the recorded calls again and compare the responses.</source>
        <translation>Die aufgezeichneten Aufrufe erneut senden und die Antworten vergleichen.</translation>
    </message>
    <message>
        <source>Call a tool</source>
        <translation>Ein Tool aufrufen</translation>
    </message>
    <message>
        <source>See a tool error</source>
        <translation>Einen Tool-Fehler sehen</translation>
    </message>
    <message>
        <source>Fix an argument</source>
        <translation>Ein Argument korrigieren</translation>
    </message>
    <message>
        <source>Respond to the server</source>
        <translation>Dem Server antworten</translation>
    </message>
    <message>
        <source>Look at a message</source>
        <translation>Eine Nachricht ansehen</translation>
    </message>
    <message>
        <source>Filter the timeline</source>
        <translation>Zeitleiste filtern</translation>
    </message>
    <message>
        <source>Read a resource</source>
        <translation>Eine Ressource lesen</translation>
    </message>
    <message>
        <source>Replay the session</source>
        <translation>Die Sitzung erneut abspielen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::HeaderEditor</name>
    <message>
        <source>default value</source>
        <translation>Standardwert</translation>
    </message>
    <message>
        <source>redacted in the session; not sent</source>
        <translation>in der Sitzung geschwärzt; wird nicht gesendet</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>nicht gesendet</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>Header</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>HTTP &amp;headers</source>
        <translation>HTTP-&amp;Header</translation>
    </message>
    <message>
        <source>For this message only; removed headers are not sent</source>
        <translation>Nur für diese Nachricht; entfernte Header werden nicht gesendet</translation>
    </message>
    <message>
        <source>For this message only; its original headers were not found</source>
        <translation>Nur für diese Nachricht; ihre ursprünglichen Header wurden nicht gefunden</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove the selected header</source>
        <translation>Den ausgewählten Header entfernen</translation>
    </message>
    <message>
        <source>Do not send the selected header</source>
        <translation>Den ausgewählten Header nicht senden</translation>
    </message>
    <message>
        <source>HTTP headers of this message</source>
        <translation>HTTP-Header dieser Nachricht</translation>
    </message>
</context>
<context>
    <name>sonde::ui::IgnoreRulesDialog</name>
    <message>
        <source>No rules</source>
        <translation>Keine Regeln</translation>
    </message>
    <message>
        <source>Click “Ignore” next to a difference, or add a rule here. Matching differences are ignored.</source>
        <translation>Auf „Ignorieren“ neben einem Unterschied klicken oder hier eine Regel hinzufügen. Passende Unterschiede werden ignoriert.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Ignore rules</source>
        <translation>Ignorierregeln</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Ignored content</source>
        <translation>Ignorierter Inhalt</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Tool, prompt or URI</source>
        <translation>Tool, Prompt oder URI</translation>
    </message>
    <message>
        <source>Path: /content/*/text#/time, where * is one step, ** any number of steps and # enters JSON inside a string. An empty field matches anything.</source>
        <translation>Pfad: /content/*/text#/time, wobei * für einen Schritt steht, ** für beliebig viele Schritte und # in JSON innerhalb einer Zeichenkette führt. Ein leeres Feld passt auf alles.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>timestamps</source>
        <translation>Zeitstempel</translation>
    </message>
    <message>
        <source>UUIDs</source>
        <translation>UUIDs</translation>
    </message>
    <message>
        <source>text matching</source>
        <translation>Text passend zu</translation>
    </message>
    <message>
        <source>Line %1: %2. The previous rules apply until this is fixed.</source>
        <translation>Zeile %1: %2. Bis dies behoben ist, gelten die bisherigen Regeln.</translation>
    </message>
    <message>
        <source>Line %1 is not a valid rule: %2. It will be discarded on close.</source>
        <translation>Zeile %1 ist keine gültige Regel: %2. Sie wird beim Schließen verworfen.</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>Weiter bearbeiten</translation>
    </message>
    <message>
        <source>Saved in %1</source>
        <translation>Gespeichert in %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImageArea</name>
    <message>
        <source>Fit width</source>
        <translation>Breite anpassen</translation>
    </message>
    <message>
        <source>%1%</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImageDecoder</name>
    <message>
        <source>not enough memory</source>
        <translation>nicht genug Arbeitsspeicher</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImportCallsDialog</name>
    <message>
        <source>Import calls from other programs</source>
        <translation>Aufrufe anderer Programme importieren</translation>
    </message>
    <message>
        <source>Open, drop or paste a Postman, Insomnia or Hoppscotch collection, or an MCP Inspector export.</source>
        <translation>Eine Sammlung aus Postman, Insomnia oder Hoppscotch oder einen Export von MCP Inspector öffnen, ablegen oder einfügen.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Import calls</source>
        <translation>Aufrufe importieren</translation>
    </message>
    <message>
        <source>Open files…</source>
        <translation>Dateien öffnen&#xa0;…</translation>
    </message>
    <message>
        <source>Paste from clipboard</source>
        <translation>Aus Zwischenablage einfügen</translation>
    </message>
    <message>
        <source>Calls found</source>
        <translation>Gefundene Aufrufe</translation>
    </message>
    <message>
        <source>Saved call</source>
        <translation>Gespeicherter Aufruf</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Tool</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>File of the selected call</source>
        <translation>Datei des ausgewählten Aufrufs</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>%1 is too large for the memory.</source>
        <translation>%1 ist zu groß für den Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>The clipboard</source>
        <translation>Die Zwischenablage</translation>
    </message>
    <message>
        <source>The clipboard has no text.</source>
        <translation>Die Zwischenablage enthält keinen Text.</translation>
    </message>
    <message>
        <source>The text is too long.</source>
        <translation>Der Text ist zu lang.</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Hinweis</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 Hinweise</translation>
    </message>
    <message>
        <source>Import calls from files</source>
        <translation>Aufrufe aus Dateien importieren</translation>
    </message>
    <message>
        <source>Exports (*.json *.yaml *.yml);;All files (*)</source>
        <translation>Exporte (*.json *.yaml *.yml);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Import 1 call</source>
        <translation>1 Aufruf importieren</translation>
    </message>
    <message>
        <source>Import %1 calls</source>
        <translation>%1 Aufrufe importieren</translation>
    </message>
    <message>
        <source>Nothing is sent, and no file is replaced.</source>
        <translation>Es wird nichts gesendet und keine Datei ersetzt.</translation>
    </message>
    <message>
        <source>%1 has no tool calls</source>
        <translation>%1 enthält keine Tool-Aufrufe</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ImportDialog</name>
    <message>
        <source>No servers from other MCP clients found</source>
        <translation>Keine Server von anderen MCP-Clients gefunden</translation>
    </message>
    <message>
        <source>Open or drop a file, or paste its text or a command such as “claude mcp add …”.</source>
        <translation>Eine Datei öffnen oder ablegen oder ihren Text oder einen Befehl wie „claude mcp add …“ einfügen.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Import servers</source>
        <translation>Server importieren</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>Auf diesem Computer gefunden</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>Datei öffnen&#xa0;…</translation>
    </message>
    <message>
        <source>Paste from clipboard</source>
        <translation>Aus Zwischenablage einfügen</translation>
    </message>
    <message>
        <source>A configuration, an entry, or a command such as “claude mcp add …”</source>
        <translation>Eine Konfiguration, ein Eintrag oder ein Befehl wie „claude mcp add …“</translation>
    </message>
    <message>
        <source>Servers found</source>
        <translation>Gefundene Server</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Starts or connects to</source>
        <translation>Startet oder verbindet mit</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Details of the selected server</source>
        <translation>Details des ausgewählten Servers</translation>
    </message>
    <message>
        <source>server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 Server</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 Server</translation>
    </message>
    <message>
        <source>The text is too long to be a list of servers.</source>
        <translation>Der Text ist für eine Serverliste zu lang.</translation>
    </message>
    <message>
        <source>Import servers from a file</source>
        <translation>Server aus einer Datei importieren</translation>
    </message>
    <message>
        <source>Configurations (*.json *.jsonc *.toml);;All files (*)</source>
        <translation>Konfigurationen (*.json *.jsonc *.toml);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>cannot be started</source>
        <translation>kann nicht gestartet werden</translation>
    </message>
    <message>
        <source>already in the list; adds missing secrets</source>
        <translation>bereits in der Liste; ergänzt fehlende Geheimnisse</translation>
    </message>
    <message>
        <source>already in the list</source>
        <translation>bereits in der Liste</translation>
    </message>
    <message>
        <source>renamed</source>
        <translation>umbenannt</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>deaktiviert</translation>
    </message>
    <message>
        <source>1 secret</source>
        <translation>1 Geheimnis</translation>
    </message>
    <message>
        <source>%1 secrets</source>
        <translation>%1 Geheimnisse</translation>
    </message>
    <message>
        <source>Other users can read these secrets</source>
        <translation>Andere Benutzer können diese Geheimnisse lesen</translation>
    </message>
    <message>
        <source>This file describes no servers</source>
        <translation>Diese Datei beschreibt keine Server</translation>
    </message>
    <message>
        <source>Double-click or press F2 to rename</source>
        <translation>Doppelklick oder F2 zum Umbenennen</translation>
    </message>
    <message>
        <source>•••••••• (secret, goes to the keychain)</source>
        <translation>•••••••• (Geheimnis, kommt in den Schlüsselbund)</translation>
    </message>
    <message>
        <source>Enter a name for each server.</source>
        <translation>Für jeden Server einen Namen eingeben.</translation>
    </message>
    <message>
        <source>A server named “%1” already exists. Double-click the name to change it.</source>
        <translation>Ein Server namens „%1“ existiert bereits. Doppelklick auf den Namen, um ihn zu ändern.</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>%1 importieren</translation>
    </message>
    <message>
        <source>Importing starts nothing. Check what each server would run.</source>
        <translation>Beim Importieren wird nichts gestartet. Prüfen, was jeder Server ausführen würde.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonCompletion</name>
    <message>
        <source>Names and values from the schema</source>
        <translation>Namen und Werte aus dem Schema</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>example</source>
        <translation>Beispiel</translation>
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
        <translation>Geheimnisse anzeigen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>line %1, column %2</source>
        <translation>Zeile %1, Spalte %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonFolding</name>
    <message>
        <source>…} 1 property</source>
        <translation>…} 1 Eigenschaft</translation>
    </message>
    <message>
        <source>…} %1 properties</source>
        <translation>…} %1 Eigenschaften</translation>
    </message>
    <message>
        <source>…] 1 item</source>
        <translation>…] 1 Element</translation>
    </message>
    <message>
        <source>…] %1 items</source>
        <translation>…] %1 Elemente</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonTable</name>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
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
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>Kopieren als</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>1 column</source>
        <translation>1 Spalte</translation>
    </message>
    <message>
        <source>%1 columns</source>
        <translation>%1 Spalten</translation>
    </message>
    <message>
        <source>1 hidden</source>
        <translation>1 ausgeblendet</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>%1 ausgeblendet</translation>
    </message>
    <message>
        <source>1 more key not shown</source>
        <translation>1 weiterer Schlüssel nicht angezeigt</translation>
    </message>
    <message>
        <source>%1 more keys not shown</source>
        <translation>%1 weitere Schlüssel nicht angezeigt</translation>
    </message>
    <message>
        <source>Sort ascending</source>
        <translation>Aufsteigend sortieren</translation>
    </message>
    <message>
        <source>Sort descending</source>
        <translation>Absteigend sortieren</translation>
    </message>
    <message>
        <source>Order as received</source>
        <translation>Reihenfolge wie empfangen</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Hide “%1”</source>
        <translation>„%1“ ausblenden</translation>
    </message>
    <message>
        <source>Show all columns</source>
        <translation>Alle Spalten anzeigen</translation>
    </message>
    <message>
        <source>Copy table as CSV</source>
        <translation>Tabelle als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy table as Markdown</source>
        <translation>Tabelle als Markdown kopieren</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
</context>
<context>
    <name>sonde::ui::JsonTableModel</name>
    <message>
        <source>(no object)</source>
        <translation>(kein Objekt)</translation>
    </message>
    <message>
        <source>(empty name)</source>
        <translation>(leerer Name)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LaunchLines</name>
    <message>
        <source>%1 characters</source>
        <translation>%1 Zeichen</translation>
    </message>
    <message>
        <source>What would be started</source>
        <translation>Was gestartet würde</translation>
    </message>
    <message>
        <source>%1, %2. Scroll to see all of it.</source>
        <translation>%1, %2. Zum vollständigen Anzeigen scrollen.</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 Zeichen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LineDifference</name>
    <message>
        <source>… 1 equal line</source>
        <translation>… 1 gleiche Zeile</translation>
    </message>
    <message>
        <source>… %1 equal lines</source>
        <translation>… %1 gleiche Zeilen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LineInput</name>
    <message>
        <source>Not inserted: max %1 characters per line.</source>
        <translation>Nicht eingefügt: max. %1 Zeichen pro Zeile.</translation>
    </message>
    <message>
        <source>%1 characters: too long to edit on one line</source>
        <translation>%1 Zeichen: zu lang zum Bearbeiten in einer Zeile</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ListEditor</name>
    <message>
        <source>item</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Move %1 up</source>
        <translation>%1 nach oben verschieben</translation>
    </message>
    <message>
        <source>Move %1 down</source>
        <translation>%1 nach unten verschieben</translation>
    </message>
</context>
<context>
    <name>sonde::ui::LogLevelRow</name>
    <message>
        <source>Log level</source>
        <translation>Log-Level</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Server default</source>
        <translation>Server-Standard</translation>
    </message>
    <message>
        <source>Not accepted: %1</source>
        <translation>Nicht akzeptiert: %1</translation>
    </message>
    <message>
        <source>Requests do not ask for log messages.</source>
        <translation>Anfragen fordern keine Log-Meldungen an.</translation>
    </message>
    <message>
        <source>Sent with each request.</source>
        <translation>Wird mit jeder Anfrage gesendet.</translation>
    </message>
    <message>
        <source>The server keeps &apos;%1&apos; until it is restarted.</source>
        <translation>Der Server behält &apos;%1&apos;, bis er neu gestartet wird.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ManualBrowser</name>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ManualWindow</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Sonde manual</source>
        <translation>Sonde-Handbuch</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>Alle Seiten durchsuchen</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Places with these words</source>
        <translation>Stellen mit diesen Wörtern</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>No page has these words.</source>
        <translation>Keine Seite enthält diese Wörter.</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 Stelle</translation>
    </message>
    <message>
        <source>%1 places</source>
        <translation>%1 Stellen</translation>
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
        <translation>Nicht in diesem Handbuch: %1</translation>
    </message>
    <message>
        <source>%1 matches, of which the first %2 are listed</source>
        <translation>%1 Stellen, von denen die ersten %2 aufgelistet sind</translation>
    </message>
</context>
<context>
    <name>sonde::ui::MarkdownView</name>
    <message>
        <source>[Image: %1]</source>
        <translation>[Bild: %1]</translation>
    </message>
    <message>
        <source>Rendered Markdown</source>
        <translation>Gerendertes Markdown</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>Link öffnen&#xa0;…</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>Linkadresse kopieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::MemberRow</name>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of property %1</source>
        <translation>Name der Eigenschaft %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::NetworkDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>Diese Einstellungen verwenden</translation>
    </message>
    <message>
        <source>Network settings</source>
        <translation>Netzwerkeinstellungen</translation>
    </message>
    <message>
        <source>Network settings of %1</source>
        <translation>Netzwerkeinstellungen von %1</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Proxy URL</source>
        <translation>Proxy-URL</translation>
    </message>
    <message>
        <source>http://HOST:PORT or socks5://HOST:PORT</source>
        <translation>http://HOST:PORT oder socks5://HOST:PORT</translation>
    </message>
    <message>
        <source>With a user name and password: http://USER:PASSWORD@HOST:PORT</source>
        <translation>Mit Benutzername und Passwort: http://USER:PASSWORD@HOST:PORT</translation>
    </message>
    <message>
        <source>&amp;Proxy</source>
        <translation>&amp;Proxy</translation>
    </message>
    <message>
        <source>CA &amp;file</source>
        <translation>CA-&amp;Datei</translation>
    </message>
    <message>
        <source>PEM: certificate authorities to trust for this server, in addition to the system&apos;s</source>
        <translation>PEM: Zertifizierungsstellen, denen für diesen Server zusätzlich zu denen des Systems vertraut wird</translation>
    </message>
    <message>
        <source>the system&apos;s certificate authorities only</source>
        <translation>nur die Zertifizierungsstellen des Systems</translation>
    </message>
    <message>
        <source>Client &amp;certificate</source>
        <translation>Client-&amp;Zertifikat</translation>
    </message>
    <message>
        <source>PEM: the client certificate for this server and its chain</source>
        <translation>PEM: das Client-Zertifikat für diesen Server und seine Kette</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>Client &amp;key</source>
        <translation>Client-&amp;Schlüssel</translation>
    </message>
    <message>
        <source>PEM without a passphrase: the private key of the client certificate</source>
        <translation>PEM ohne Passphrase: der private Schlüssel des Client-Zertifikats</translation>
    </message>
    <message>
        <source>in the certificate file</source>
        <translation>in der Zertifikatsdatei</translation>
    </message>
    <message>
        <source>&amp;Accepted certificate</source>
        <translation>&amp;Akzeptiertes Zertifikat</translation>
    </message>
    <message>
        <source>SHA-256 fingerprint</source>
        <translation>SHA-256-Fingerabdruck</translation>
    </message>
    <message>
        <source>Exactly this certificate is accepted even if it is self-signed, expired or for another host. The error of a failed connection shows the fingerprint; check it with the server&apos;s owner.</source>
        <translation>Genau dieses Zertifikat wird akzeptiert, auch wenn es selbstsigniert, abgelaufen oder für einen anderen Host ist. Der Fehler einer fehlgeschlagenen Verbindung zeigt den Fingerabdruck; er ist mit dem Betreiber des Servers abzugleichen.</translation>
    </message>
    <message>
        <source>Accept the certificate that the server showed</source>
        <translation>Das vom Server gezeigte Zertifikat akzeptieren</translation>
    </message>
    <message>
        <source>A&amp;llowed hosts</source>
        <translation>&amp;Erlaubte Hosts</translation>
    </message>
    <message>
        <source>none; separate several with commas</source>
        <translation>keine; mehrere durch Kommas trennen</translation>
    </message>
    <message>
        <source>Hosts on this computer or a private network that a public server may redirect to, for example to sign in</source>
        <translation>Hosts auf diesem Computer oder in einem privaten Netz, zu denen ein öffentlicher Server umleiten darf, etwa zur Anmeldung</translation>
    </message>
    <message>
        <source>Its SHA-256 fingerprint is %1. Check it with the server&apos;s owner.</source>
        <translation>Sein SHA-256-Fingerabdruck ist %1. Mit dem Betreiber des Servers abgleichen.</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen&#xa0;…</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>%1 auswählen</translation>
    </message>
    <message>
        <source>PEM files (*.pem *.crt *.cer *.key);;All files (*)</source>
        <translation>PEM-Dateien (*.pem *.crt *.cer *.key);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Enter the URL of the proxy.</source>
        <translation>Die URL des Proxys eingeben.</translation>
    </message>
    <message>
        <source>For this server only. Takes effect at the next start.</source>
        <translation>Nur für diesen Server. Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>system proxy</source>
        <translation>System-Proxy</translation>
    </message>
    <message>
        <source>no proxy</source>
        <translation>kein Proxy</translation>
    </message>
    <message>
        <source>proxy %1</source>
        <translation>Proxy %1</translation>
    </message>
    <message>
        <source>CA file %1</source>
        <translation>CA-Datei %1</translation>
    </message>
    <message>
        <source>client certificate %1</source>
        <translation>Client-Zertifikat %1</translation>
    </message>
    <message>
        <source>1 accepted certificate</source>
        <translation>1 akzeptiertes Zertifikat</translation>
    </message>
    <message>
        <source>allowed: %1</source>
        <translation>erlaubt: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::NumberEditor</name>
    <message>
        <source>Not a number; will be sent as a string</source>
        <translation>Keine Zahl; wird als Zeichenkette gesendet</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ObjectEditor</name>
    <message>
        <source>Add entry</source>
        <translation>Eintrag hinzufügen</translation>
    </message>
    <message>
        <source>Add property</source>
        <translation>Eigenschaft hinzufügen</translation>
    </message>
    <message>
        <source>Additional properties</source>
        <translation>Zusätzliche Eigenschaften</translation>
    </message>
    <message>
        <source>Empty object</source>
        <translation>Leeres Objekt</translation>
    </message>
    <message>
        <source>any of them</source>
        <translation>beliebige davon</translation>
    </message>
    <message>
        <source>Give</source>
        <translation>Angeben</translation>
    </message>
    <message>
        <source>Which to give</source>
        <translation>Was anzugeben ist</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OfferModel</name>
    <message>
        <source>Not callable over HTTP: %1</source>
        <translation>Über HTTP nicht aufrufbar: %1</translation>
    </message>
    <message>
        <source>Calls %1</source>
        <translation>Ruft %1 auf</translation>
    </message>
    <message>
        <source>The server lists no tools</source>
        <translation>Der Server listet keine Tools</translation>
    </message>
    <message>
        <source>The server lists no resources</source>
        <translation>Der Server listet keine Ressourcen</translation>
    </message>
    <message>
        <source>The server lists no templates</source>
        <translation>Der Server listet keine Vorlagen</translation>
    </message>
    <message>
        <source>The server lists no prompts</source>
        <translation>Der Server listet keine Prompts</translation>
    </message>
    <message>
        <source>MCP App</source>
        <translation>MCP-App</translation>
    </message>
    <message>
        <source>skill</source>
        <translation>Skill</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>nur lesend</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>schreibt</translation>
    </message>
    <message>
        <source>destructive</source>
        <translation>destruktiv</translation>
    </message>
    <message>
        <source>task</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>idempotent</source>
        <translation>idempotent</translation>
    </message>
    <message>
        <source>open world</source>
        <translation>offene Welt</translation>
    </message>
    <message>
        <source>may write</source>
        <translation>schreibt evtl.</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>Gespeicherte Aufrufe</translation>
    </message>
    <message>
        <source>live</source>
        <translation>live</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Tools</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>nicht verbunden</translation>
    </message>
    <message>
        <source>not offered</source>
        <translation>nicht angeboten</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 loaded</source>
        <translation>%1 geladen</translation>
    </message>
    <message>
        <source>Load next page</source>
        <translation>Nächste Seite laden</translation>
    </message>
    <message>
        <source>more on server</source>
        <translation>mehr auf dem Server</translation>
    </message>
    <message>
        <source>Load all</source>
        <translation>Alle laden</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1: %2, %3 loaded, more on the server</source>
        <translation>%1: %2, %3 geladen, mehr auf dem Server</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>(kein Name)</translation>
    </message>
    <message>
        <source>%1, not callable</source>
        <translation>%1, nicht aufrufbar</translation>
    </message>
    <message>
        <source>1 saved call</source>
        <translation>1 gespeicherter Aufruf</translation>
    </message>
    <message>
        <source>%1 saved calls</source>
        <translation>%1 gespeicherte Aufrufe</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 Tool</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 Tools</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 Ressource</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 Ressourcen</translation>
    </message>
    <message>
        <source>1 template</source>
        <translation>1 Vorlage</translation>
    </message>
    <message>
        <source>%1 templates</source>
        <translation>%1 Vorlagen</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 Prompt</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 Prompts</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>Keine Tools</translation>
    </message>
    <message>
        <source>No resources</source>
        <translation>Keine Ressourcen</translation>
    </message>
    <message>
        <source>No templates</source>
        <translation>Keine Vorlagen</translation>
    </message>
    <message>
        <source>No prompts</source>
        <translation>Keine Prompts</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OfferTree</name>
    <message>
        <source>Filter the server&apos;s offering</source>
        <translation>Das Angebot des Servers filtern</translation>
    </message>
    <message>
        <source>Server offering</source>
        <translation>Angebot des Servers</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter %1…</source>
        <translation>%1 filtern&#xa0;…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>Kein Treffer für „%1“</translation>
    </message>
    <message>
        <source>Esc clears the filter.</source>
        <translation>Esc leert den Filter.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OnlyCallLine</name>
    <message>
        <source>Show all calls</source>
        <translation>Alle Aufrufe anzeigen</translation>
    </message>
    <message>
        <source>Show all calls again</source>
        <translation>Wieder alle Aufrufe anzeigen</translation>
    </message>
    <message>
        <source>Only call %1</source>
        <translation>Nur Aufruf %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::OpenAddressDialog</name>
    <message>
        <source>Open in the browser?</source>
        <translation>Im Browser öffnen?</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL and open it yourself.</source>
        <translation>Es konnte kein Browser gestartet werden. Die URL kopieren und selbst öffnen.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
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
        <translation>Sitzung verloren</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>Zeitüberschreitung</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation>Verbindung verloren</translation>
    </message>
    <message>
        <source>Not authorized</source>
        <translation>Nicht autorisiert</translation>
    </message>
    <message>
        <source>Invalid response</source>
        <translation>Ungültige Antwort</translation>
    </message>
    <message>
        <source>No response</source>
        <translation>Keine Antwort</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Tool error</source>
        <translation>Tool-Fehler</translation>
    </message>
    <message>
        <source>input required</source>
        <translation>Eingabe nötig</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… läuft</translation>
    </message>
    <message>
        <source>not supported</source>
        <translation>nicht unterstützt</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>The call succeeded.</source>
        <translation>Der Aufruf war erfolgreich.</translation>
    </message>
    <message>
        <source>The tool ran and reported a failure (isError: true).</source>
        <translation>Das Tool lief und meldete einen Fehlschlag (isError: true).</translation>
    </message>
    <message>
        <source>JSON-RPC error without a valid code.</source>
        <translation>JSON-RPC-Fehler ohne gültigen Code.</translation>
    </message>
    <message>
        <source>JSON-RPC error %1.</source>
        <translation>JSON-RPC-Fehler %1.</translation>
    </message>
    <message>
        <source>JSON-RPC error %1: %2.</source>
        <translation>JSON-RPC-Fehler %1: %2.</translation>
    </message>
    <message>
        <source>The server returned HTTP %1 instead of a JSON-RPC response.</source>
        <translation>Der Server lieferte HTTP %1 statt einer JSON-RPC-Antwort.</translation>
    </message>
    <message>
        <source>The server no longer knows the session.</source>
        <translation>Der Server kennt die Sitzung nicht mehr.</translation>
    </message>
    <message>
        <source>Timed out.</source>
        <translation>Zeitüberschreitung.</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>No response: the connection was lost.</source>
        <translation>Keine Antwort: Die Verbindung wurde getrennt.</translation>
    </message>
    <message>
        <source>No response: the server requires authorization.</source>
        <translation>Keine Antwort: Der Server verlangt eine Autorisierung.</translation>
    </message>
    <message>
        <source>Not a valid response.</source>
        <translation>Keine gültige Antwort.</translation>
    </message>
    <message>
        <source>No response.</source>
        <translation>Keine Antwort.</translation>
    </message>
    <message>
        <source>Not a protocol error. The model sees this text.</source>
        <translation>Kein Protokollfehler. Das Modell sieht diesen Text.</translation>
    </message>
    <message>
        <source>The server returned a JSON-RPC error instead of a result.</source>
        <translation>Der Server lieferte einen JSON-RPC-Fehler statt eines Ergebnisses.</translation>
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
        <translation>frisch bis %1 (public)</translation>
    </message>
    <message>
        <source>fresh until %1 (private)</source>
        <translation>frisch bis %1 (private)</translation>
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
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 Treffer</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 Treffer</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>Suche läuft</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
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
        <translation>(im Schlüsselbund)</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>Schlüsselbund</translation>
    </message>
    <message>
        <source>Checked values are kept in the keychain of this computer, not in the list of servers.</source>
        <translation>Angehakte Werte werden im Schlüsselbund dieses Computers gespeichert, nicht in der Serverliste.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::PlaceEditor</name>
    <message>
        <source>The schema is too large for form fields. Edit this value as JSON.</source>
        <translation>Das Schema ist zu groß für Formularfelder. Diesen Wert als JSON bearbeiten.</translation>
    </message>
    <message>
        <source>%1 of JSON, unchanged. Show and edit</source>
        <translation>%1 JSON, unverändert. Anzeigen und bearbeiten</translation>
    </message>
    <message>
        <source>Not JSON; will be sent as a string: %1</source>
        <translation>Kein JSON; wird als Zeichenkette gesendet: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Reset page</source>
        <translation>Seite zurücksetzen</translation>
    </message>
    <message>
        <source>Set everything on this page to its default</source>
        <translation>Alles auf dieser Seite auf den Standard setzen</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Ohne Limit</translation>
    </message>
    <message>
        <source>, or no limit</source>
        <translation>, oder ohne Limit</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>Wie System</translation>
    </message>
    <message>
        <source>The window changes its language when this dialog is closed and no call is running. The command line and the manual are in English.</source>
        <translation>Das Fenster wechselt die Sprache, sobald dieser Dialog geschlossen ist und kein Aufruf läuft. Kommandozeile und Handbuch sind englisch.</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Show the menu bar</source>
        <translation>Menüleiste anzeigen</translation>
    </message>
    <message>
        <source>While it is hidden, Alt or F10 opens it.</source>
        <translation>Wenn sie ausgeblendet ist, öffnet Alt oder F10 sie.</translation>
    </message>
    <message>
        <source>Only while another window is in front.</source>
        <translation>Nur, solange ein anderes Fenster im Vordergrund ist.</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Bewegung reduzieren</translation>
    </message>
    <message>
        <source>Busy indicators do not move, text cursors do not blink, and times count in whole seconds. Always on if the desktop asks for it.</source>
        <translation>Fortschritt unbekannter Länge und Textcursor stehen still, und Zeiten zählen in ganzen Sekunden. Immer aktiv, wenn der Desktop es verlangt.</translation>
    </message>
    <message>
        <source>Timeouts and limits</source>
        <translation>Zeitlimits und Grenzen</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Request timeout</source>
        <translation>Zeitlimit für Anfragen</translation>
    </message>
    <message>
        <source>Total timeout</source>
        <translation>Gesamtzeitlimit</translation>
    </message>
    <message>
        <source>A request ends after this time even if it reports progress. Time waiting for you or for a sign-in does not count.</source>
        <translation>Eine Anfrage endet nach dieser Zeit, auch wenn sie Fortschritt meldet. Wartezeit auf Sie oder eine Anmeldung zählt nicht.</translation>
    </message>
    <message>
        <source>Connection timeout</source>
        <translation>Verbindungszeitlimit</translation>
    </message>
    <message>
        <source>For opening the connection, and for each request of the handshake.</source>
        <translation>Für das Öffnen der Verbindung und für jede Anfrage des Handshakes.</translation>
    </message>
    <message>
        <source>Request timeouts apply to the next request, the connection timeout to the next start of a server.</source>
        <translation>Zeitlimits für Anfragen gelten ab der nächsten Anfrage, das Verbindungszeitlimit ab dem nächsten Start eines Servers.</translation>
    </message>
    <message>
        <source>Recording and retention</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>Session size limit</source>
        <translation>Größengrenze einer Sitzung</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>Beyond the limit, calls are still recorded. Notifications, standard error and other unsolicited output of the server are counted, not stored. Sessions that are being recorded get the new limit at once.</source>
        <translation>Jenseits der Grenze werden Aufrufe weiterhin aufgezeichnet. Benachrichtigungen, Standardfehler und andere unaufgeforderte Ausgaben des Servers werden gezählt, nicht gespeichert. Laufende Aufzeichnungen erhalten die neue Grenze sofort.</translation>
    </message>
    <message>
        <source>A session uses at most a tenth of the free disk space.</source>
        <translation>Eine Sitzung belegt höchstens ein Zehntel des freien Speicherplatzes.</translation>
    </message>
    <message>
        <source>A session uses at most a tenth of the free disk space, currently %1.</source>
        <translation>Eine Sitzung belegt höchstens ein Zehntel des freien Speicherplatzes, derzeit %1.</translation>
    </message>
    <message>
        <source>In memory only</source>
        <translation>Nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Folder of sessions</source>
        <translation>Ordner der Sitzungen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 Sitzung</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 Sitzungen</translation>
    </message>
    <message>
        <source>Keep sessions for</source>
        <translation>Sitzungen behalten für</translation>
    </message>
    <message>
        <source> days</source>
        <translation> Tage</translation>
    </message>
    <message>
        <source>Total size of sessions</source>
        <translation>Gesamtgröße der Sitzungen</translation>
    </message>
    <message>
        <source>Number of sessions</source>
        <translation>Anzahl der Sitzungen</translation>
    </message>
    <message>
        <source>Privacy and approval</source>
        <translation>Datenschutz, Freigabe</translation>
    </message>
    <message>
        <source>Ask before calling tools without annotations</source>
        <translation>Vor dem Aufruf von Tools ohne Annotationen fragen</translation>
    </message>
    <message>
        <source>A tool without annotations may be destructive. Sonde always asks before calling a tool that is annotated as destructive.</source>
        <translation>Ein Tool ohne Annotationen kann destruktiv sein. Vor dem Aufruf eines als destruktiv annotierten Tools fragt Sonde immer.</translation>
    </message>
    <message>
        <source>Add opened sessions to the desktop&apos;s list of recent files</source>
        <translation>Geöffnete Sitzungen zur Liste zuletzt verwendeter Dateien des Desktops hinzufügen</translation>
    </message>
    <message>
        <source>Forget all…</source>
        <translation>Alle vergessen&#xa0;…</translation>
    </message>
    <message>
        <source>Remembered arguments</source>
        <translation>Gemerkte Argumente</translation>
    </message>
    <message>
        <source>The arguments of your last calls fill the forms at the next start. Detected secrets are not remembered.</source>
        <translation>Die Argumente der letzten Aufrufe füllen beim nächsten Start die Formulare. Erkannte Geheimnisse werden nicht gemerkt.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Of 1 tool</source>
        <translation>Von 1 Tool</translation>
    </message>
    <message>
        <source>Of %1 tools</source>
        <translation>Von %1 Tools</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>Dichte</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>Großzügig</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Kompakt</translation>
    </message>
    <message>
        <source>Notify me when a server is waiting for me</source>
        <translation>Benachrichtigen, wenn ein Server auf mich wartet</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Default: no limit · at most %1</source>
        <translation>Standard: ohne Limit · höchstens %1</translation>
    </message>
    <message>
        <source>Default: %1 · from %2 to %3</source>
        <translation>Standard: %1 · von %2 bis %3</translation>
    </message>
    <message>
        <source>Reopen the tabs that were open</source>
        <translation>Zuletzt geöffnete Tabs wieder öffnen</translation>
    </message>
    <message>
        <source>Restores tabs with their unsent input, opened sessions and filters at the next start. Servers are not started, and detected secrets are not saved.</source>
        <translation>Stellt beim nächsten Start Tabs mit nicht gesendeten Eingaben, geöffnete Sitzungen und Filter wieder her. Server werden nicht gestartet, und erkannte Geheimnisse werden nicht gespeichert.</translation>
    </message>
    <message>
        <source>A request without a response or progress for this long ends with “No response”, and the server is notified.</source>
        <translation>Ohne Antwort oder Fortschritt endet eine Anfrage nach dieser Zeit mit „Keine Antwort“, und der Server wird benachrichtigt.</translation>
    </message>
    <message>
        <source>Sonde never deletes a session by itself. Sessions beyond these limits are proposed for deletion in the list of recorded sessions. Pinned and open sessions are kept.</source>
        <translation>Sonde löscht nie von sich aus eine Sitzung. Sitzungen, die diese Grenzen überschreiten, werden in der Liste der aufgezeichneten Sitzungen zum Löschen vorgeschlagen. Angeheftete und geöffnete Sitzungen werden behalten.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ProblemLine</name>
    <message>
        <source>1 problem</source>
        <translation>1 Problem</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 Probleme</translation>
    </message>
    <message>
        <source> · you can still send it</source>
        <translation> · kann trotzdem gesendet werden</translation>
    </message>
    <message>
        <source>1 remark</source>
        <translation>1 Anmerkung</translation>
    </message>
    <message>
        <source>%1 remarks</source>
        <translation>%1 Anmerkungen</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RawPage</name>
    <message>
        <source>Message exactly as received</source>
        <translation>Nachricht genau wie empfangen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter&#xa0;…</translation>
    </message>
    <message>
        <source>Save the message as a file</source>
        <translation>Die Nachricht als Datei speichern</translation>
    </message>
    <message>
        <source>%1, exactly as received</source>
        <translation>%1, genau wie empfangen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RecordDetails</name>
    <message>
        <source>No findings</source>
        <translation>Keine Befunde</translation>
    </message>
    <message>
        <source>No JSON, JSON-RPC or MCP violations found.</source>
        <translation>Keine Verstöße gegen JSON, JSON-RPC oder MCP gefunden.</translation>
    </message>
    <message>
        <source>Details of the selected record</source>
        <translation>Details des ausgewählten Eintrags</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Eintrag</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Header</translation>
    </message>
    <message>
        <source>Headers of the HTTP request and response</source>
        <translation>Header der HTTP-Anfrage und -Antwort</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Times, sizes and other information</source>
        <translation>Zeiten, Größen und weitere Informationen</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Erneut senden</translation>
    </message>
    <message>
        <source>Send again; a request gets a new ID</source>
        <translation>Erneut senden; eine Anfrage erhält eine neue ID</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten&#xa0;…</translation>
    </message>
    <message>
        <source>Edit and send…</source>
        <translation>Bearbeiten und senden&#xa0;…</translation>
    </message>
    <message>
        <source>Edit this message, then send it</source>
        <translation>Diese Nachricht bearbeiten, dann senden</translation>
    </message>
    <message>
        <source>Record as a tree</source>
        <translation>Eintrag als Baum</translation>
    </message>
    <message>
        <source>Exact bytes of the record</source>
        <translation>Exakte Bytes des Eintrags</translation>
    </message>
    <message>
        <source>Open in a window</source>
        <translation>In Fenster öffnen</translation>
    </message>
    <message>
        <source>Open in a separate window (Enter on the row)</source>
        <translation>In separatem Fenster öffnen (Eingabe auf der Zeile)</translation>
    </message>
    <message>
        <source>Record info</source>
        <translation>Info zum Eintrag</translation>
    </message>
    <message>
        <source>call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>link</source>
        <translation>Zuordnung</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Record view</source>
        <translation>Ansicht des Eintrags</translation>
    </message>
    <message>
        <source>Close the details</source>
        <translation>Details schließen</translation>
    </message>
    <message>
        <source>Close the details (Esc on the row)</source>
        <translation>Details schließen (Esc auf der Zeile)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RecordedCallPanel</name>
    <message>
        <source>Not called in this session</source>
        <translation>In dieser Sitzung nicht aufgerufen</translation>
    </message>
    <message>
        <source>Its recorded calls would be listed here.</source>
        <translation>Die aufgezeichneten Aufrufe würden hier aufgelistet.</translation>
    </message>
    <message>
        <source>A template is not read itself</source>
        <translation>Eine Vorlage selbst wird nicht gelesen</translation>
    </message>
    <message>
        <source>Its resources are in the timeline.</source>
        <translation>Ihre Ressourcen stehen in der Zeitleiste.</translation>
    </message>
    <message>
        <source>Show in timeline</source>
        <translation>In Zeitleiste anzeigen</translation>
    </message>
    <message>
        <source>Call again on…</source>
        <translation>Erneut aufrufen auf&#xa0;…</translation>
    </message>
    <message>
        <source>Recorded %1; arguments and results as they were then.</source>
        <translation>Aufgezeichnet %1; Argumente und Ergebnisse von damals.</translation>
    </message>
    <message>
        <source>Recorded calls</source>
        <translation>Aufgezeichnete Aufrufe</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Protocol error</source>
        <translation>Protokollfehler</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>Es wurde keine Antwort aufgezeichnet.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayBar</name>
    <message>
        <source>Run again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>Accept as baseline</source>
        <translation>Als Referenz übernehmen</translation>
    </message>
    <message>
        <source>Accept…</source>
        <translation>Übernehmen&#xa0;…</translation>
    </message>
    <message>
        <source>Show only these steps</source>
        <translation>Nur diese Schritte anzeigen</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>Ergebnisse exportieren</translation>
    </message>
    <message>
        <source>Export results for CI</source>
        <translation>Ergebnisse für CI exportieren</translation>
    </message>
    <message>
        <source>JUnit (XML)…</source>
        <translation>JUnit (XML)&#xa0;…</translation>
    </message>
    <message>
        <source>JSON…</source>
        <translation>JSON&#xa0;…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Make no further calls (Esc)</source>
        <translation>Keine weiteren Aufrufe ausführen (Esc)</translation>
    </message>
    <message>
        <source>Ignore rules</source>
        <translation>Ignorierregeln</translation>
    </message>
    <message>
        <source>Ignore rules %1</source>
        <translation>Ignorierregeln %1</translation>
    </message>
    <message>
        <source>The new responses replace the recorded ones; the old session is kept</source>
        <translation>Die neuen Antworten ersetzen die aufgezeichneten; die alte Sitzung bleibt erhalten</translation>
    </message>
    <message>
        <source>What came back becomes what is expected, in the files of the calls that did not pass</source>
        <translation>Was zurückkam, wird in den Dateien der nicht bestandenen Aufrufe zur Erwartung</translation>
    </message>
    <message>
        <source>JUnit report…</source>
        <translation>JUnit-Bericht&#xa0;…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayDialog</name>
    <message>
        <source>Starts a separate instance: %1. A running server is not affected.</source>
        <translation>Startet eine eigene Instanz: %1. Ein laufender Server ist nicht betroffen.</translation>
    </message>
    <message>
        <source>Opens a separate connection to %1; an open connection is not affected.</source>
        <translation>Öffnet eine eigene Verbindung zu %1; eine offene Verbindung ist nicht betroffen.</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Erneut abspielen</translation>
    </message>
    <message>
        <source>&amp;All calls</source>
        <translation>&amp;Alle Aufrufe</translation>
    </message>
    <message>
        <source>&amp;Matching a filter</source>
        <translation>&amp;Einem Filter entsprechend</translation>
    </message>
    <message>
        <source>&amp;Session</source>
        <translation>&amp;Sitzung</translation>
    </message>
    <message>
        <source>Tar&amp;get server</source>
        <translation>&amp;Zielserver</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Tools with side effects</source>
        <translation>Tools mit Nebenwirkungen</translation>
    </message>
    <message>
        <source>All tools that are not annotated as read-only or non-destructive</source>
        <translation>Alle Tools, die nicht als nur lesend oder nicht destruktiv annotiert sind</translation>
    </message>
    <message>
        <source>Ask before each</source>
        <translation>Vor jedem fragen</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Run without asking</source>
        <translation>Ohne Rückfrage ausführen</translation>
    </message>
    <message>
        <source>Tools with
side &amp;effects</source>
        <translation>Tools mit
Neben&amp;wirkungen</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>Other file…</source>
        <translation>Andere Datei&#xa0;…</translation>
    </message>
    <message>
        <source>Target server</source>
        <translation>Zielserver</translation>
    </message>
    <message>
        <source>Command line or URL…</source>
        <translation>Befehlszeile oder URL&#xa0;…</translation>
    </message>
    <message>
        <source>Command line or URL</source>
        <translation>Befehlszeile oder URL</translation>
    </message>
    <message>
        <source>Filter for calls</source>
        <translation>Filter für Aufrufe</translation>
    </message>
    <message>
        <source>tool == search and ms &gt; 500</source>
        <translation>tool == search and ms &gt; 500</translation>
    </message>
    <message>
        <source>Ctrl+Space completes fields, values and JSON pointers</source>
        <translation>Strg+Leertaste vervollständigt Felder, Werte und JSON-Pointer</translation>
    </message>
    <message>
        <source>Choose a session</source>
        <translation>Eine Sitzung wählen</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>Sitzungen (*.mcpsession);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>&amp;Selected calls: none</source>
        <translation>A&amp;usgewählte Aufrufe: keine</translation>
    </message>
    <message>
        <source>&amp;Selected call</source>
        <translation>A&amp;usgewählter Aufruf</translation>
    </message>
    <message>
        <source>%1 &amp;selected calls</source>
        <translation>%1 a&amp;usgewählte Aufrufe</translation>
    </message>
    <message>
        <source>No sessions yet. Connect to a server, or choose a file.</source>
        <translation>Noch keine Sitzungen. Mit einem Server verbinden oder eine Datei wählen.</translation>
    </message>
    <message>
        <source>The URL was redacted in the session. Enter it, or choose a server.</source>
        <translation>Die URL wurde in der Sitzung geschwärzt. Eingeben oder einen Server wählen.</translation>
    </message>
    <message>
        <source>Enter a command line or URL.</source>
        <translation>Eine Befehlszeile oder URL eingeben.</translation>
    </message>
    <message>
        <source>“%1” is not in the list of servers. Choose a server, or enter a command line or URL.</source>
        <translation>„%1“ ist nicht in der Serverliste. Einen Server wählen oder eine Befehlszeile oder URL eingeben.</translation>
    </message>
    <message>
        <source>A secret was redacted in the session. Replace ‹…› with the real value.</source>
        <translation>Ein Geheimnis wurde in der Sitzung geschwärzt. ‹…› durch den echten Wert ersetzen.</translation>
    </message>
    <message>
        <source>Filter: %1</source>
        <translation>Filter: %1</translation>
    </message>
    <message>
        <source>Enter a filter, or choose all calls.</source>
        <translation>Einen Filter eingeben oder alle Aufrufe wählen.</translation>
    </message>
    <message>
        <source>Same as when recorded. </source>
        <translation>Wie bei der Aufzeichnung. </translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayDifferences</name>
    <message>
        <source>rule: timestamps</source>
        <translation>Regel: Zeitstempel</translation>
    </message>
    <message>
        <source>rule: UUIDs</source>
        <translation>Regel: UUIDs</translation>
    </message>
    <message>
        <source>rule: %1</source>
        <translation>Regel: %1</translation>
    </message>
    <message>
        <source>rule: this path</source>
        <translation>Regel: dieser Pfad</translation>
    </message>
    <message>
        <source>a secret</source>
        <translation>ein Geheimnis</translation>
    </message>
    <message>
        <source>It was redacted when recorded.</source>
        <translation>Es wurde bei der Aufzeichnung geschwärzt.</translation>
    </message>
    <message>
        <source>a cursor</source>
        <translation>ein Cursor</translation>
    </message>
    <message>
        <source>Only meaningful to the server that created it.</source>
        <translation>Nur für den Server aussagekräftig, der ihn erzeugt hat.</translation>
    </message>
    <message>
        <source>a task ID</source>
        <translation>eine Task-ID</translation>
    </message>
    <message>
        <source>Each server names its tasks itself.</source>
        <translation>Jeder Server benennt seine Tasks selbst.</translation>
    </message>
    <message>
        <source>Ignored: %1</source>
        <translation>Ignoriert: %1</translation>
    </message>
    <message>
        <source>This path in responses of %1</source>
        <translation>Dieser Pfad in Antworten von %1</translation>
    </message>
    <message>
        <source>This path in all items, in responses of %1</source>
        <translation>Dieser Pfad in allen Elementen, in Antworten von %1</translation>
    </message>
    <message>
        <source>This path in every response</source>
        <translation>Dieser Pfad in jeder Antwort</translation>
    </message>
    <message>
        <source>Timestamps here</source>
        <translation>Zeitstempel hier</translation>
    </message>
    <message>
        <source>Timestamps everywhere</source>
        <translation>Zeitstempel überall</translation>
    </message>
    <message>
        <source>UUIDs here</source>
        <translation>UUIDs hier</translation>
    </message>
    <message>
        <source>UUIDs everywhere</source>
        <translation>UUIDs überall</translation>
    </message>
    <message>
        <source>Text matching…</source>
        <translation>Text passend zu&#xa0;…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayPanel</name>
    <message>
        <source>Cannot create this rule</source>
        <translation>Diese Regel kann nicht erstellt werden</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ausführen</translation>
    </message>
    <message>
        <source>&amp;Skip</source>
        <translation>Über&amp;springen</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>Alle ausführen</translation>
    </message>
    <message>
        <source>Skip all</source>
        <translation>Alle überspringen</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Replay · %1 → %2</source>
        <translation>Wiedergabe · %1 → %2</translation>
    </message>
    <message>
        <source>%1 may change or delete data. Run it?</source>
        <translation>%1 kann Daten ändern oder löschen. Ausführen?</translation>
    </message>
    <message>
        <source>Step %1, with %2</source>
        <translation>Schritt %1, mit %2</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>Als gespeicherten Aufruf sichern&#xa0;…</translation>
    </message>
    <message>
        <source>loading the session…</source>
        <translation>Sitzung wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>starting the server…</source>
        <translation>Server wird gestartet&#xa0;…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>The session was not fully replayed</source>
        <translation>Die Sitzung wurde nicht vollständig abgespielt</translation>
    </message>
    <message>
        <source>These recorded server requests outside of calls did not occur</source>
        <translation>Diese aufgezeichneten Server-Anfragen außerhalb von Aufrufen traten nicht auf</translation>
    </message>
    <message>
        <source>The session was not replayed</source>
        <translation>Die Sitzung wurde nicht abgespielt</translation>
    </message>
    <message>
        <source>The connection to the server was lost during the replay</source>
        <translation>Die Verbindung zum Server ging während der Wiedergabe verloren</translation>
    </message>
    <message>
        <source>The server did not start</source>
        <translation>Der Server ist nicht gestartet</translation>
    </message>
    <message>
        <source>The server could not be reached</source>
        <translation>Der Server war nicht erreichbar</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>Sitzung wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>Nothing was replayed</source>
        <translation>Nichts wurde abgespielt</translation>
    </message>
    <message>
        <source>No calls</source>
        <translation>Keine Aufrufe</translation>
    </message>
    <message>
        <source>This session contains no requests to a server.</source>
        <translation>Diese Sitzung enthält keine Anfragen an einen Server.</translation>
    </message>
    <message>
        <source>None of the session&apos;s calls match the selection.</source>
        <translation>Kein Aufruf der Sitzung entspricht der Auswahl.</translation>
    </message>
    <message>
        <source>The rules apply to this replay but could not be saved</source>
        <translation>Die Regeln gelten für diese Wiedergabe, konnten aber nicht gespeichert werden</translation>
    </message>
    <message>
        <source>Accept these responses as the new baseline?</source>
        <translation>Diese Antworten als neue Referenz übernehmen?</translation>
    </message>
    <message>
        <source>%1 will contain the new responses. The previous session is kept in the same folder as NAME.before-DATE.</source>
        <translation>%1 enthält dann die neuen Antworten. Die bisherige Sitzung bleibt im selben Ordner als NAME.before-DATE erhalten.</translation>
    </message>
    <message>
        <source>Not accepted; the session is unchanged.</source>
        <translation>Nicht übernommen; die Sitzung ist unverändert.</translation>
    </message>
    <message>
        <source>Accepted: %1 now contains the new responses.</source>
        <translation>Übernommen: %1 enthält jetzt die neuen Antworten.</translation>
    </message>
    <message>
        <source>The previous session is %1.</source>
        <translation>Die bisherige Sitzung ist %1.</translation>
    </message>
    <message>
        <source>Restored, but not run</source>
        <translation>Wiederhergestellt, aber nicht ausgeführt</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Run again.</source>
        <translation>Bis Sie auf „Erneut ausführen“ klicken, wird nichts gesendet.</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>Nicht ausgeführt</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepList</name>
    <message>
        <source>Filter steps</source>
        <translation>Schritte filtern</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche&#xa0;…</translation>
    </message>
    <message>
        <source>No matching steps</source>
        <translation>Keine passenden Schritte</translation>
    </message>
    <message>
        <source>Change the filter, or click the badge again.</source>
        <translation>Den Filter ändern oder erneut auf das Badge klicken.</translation>
    </message>
    <message>
        <source>Filter: words or ms &gt; 500</source>
        <translation>Filter: Wörter oder ms &gt; 500</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepView</name>
    <message>
        <source>No step selected</source>
        <translation>Kein Schritt ausgewählt</translation>
    </message>
    <message>
        <source>Select a step on the left to see its differences.</source>
        <translation>Links einen Schritt auswählen, um seine Unterschiede zu sehen.</translation>
    </message>
    <message>
        <source>There are more differences; comparison stopped here.</source>
        <translation>Es gibt weitere Unterschiede; der Vergleich endete hier.</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Response before</source>
        <translation>Antwort vorher</translation>
    </message>
    <message>
        <source>Response after</source>
        <translation>Antwort nachher</translation>
    </message>
    <message>
        <source>Step view</source>
        <translation>Ansicht des Schritts</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>The recorded response</source>
        <translation>Die aufgezeichnete Antwort</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>The response of this replay</source>
        <translation>Die Antwort dieser Wiedergabe</translation>
    </message>
    <message>
        <source>Ignore ▾</source>
        <translation>Ignorieren ▾</translation>
    </message>
    <message>
        <source>Ignore this difference: menu</source>
        <translation>Diesen Unterschied ignorieren: Menü</translation>
    </message>
    <message>
        <source>No arguments</source>
        <translation>Keine Argumente</translation>
    </message>
    <message>
        <source>Arguments sent</source>
        <translation>Gesendete Argumente</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>The server requests differ from the recorded ones.</source>
        <translation>Die Server-Anfragen unterscheiden sich von den aufgezeichneten.</translation>
    </message>
    <message>
        <source>Not run yet.</source>
        <translation>Noch nicht ausgeführt.</translation>
    </message>
    <message>
        <source>Waiting for response…</source>
        <translation>Warten auf Antwort&#xa0;…</translation>
    </message>
    <message>
        <source>Identical to the recorded response.</source>
        <translation>Identisch mit der aufgezeichneten Antwort.</translation>
    </message>
    <message>
        <source>Findings about this response</source>
        <translation>Befunde zu dieser Antwort</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepsModel</name>
    <message>
        <source>Duration when recorded, in milliseconds</source>
        <translation>Dauer bei der Aufzeichnung, in Millisekunden</translation>
    </message>
    <message>
        <source>Duration in this replay, in milliseconds</source>
        <translation>Dauer bei dieser Wiedergabe, in Millisekunden</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Before (ms)</source>
        <translation>Vorher (ms)</translation>
    </message>
    <message>
        <source>After (ms)</source>
        <translation>Nachher (ms)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayStepsTable</name>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ReplayText</name>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… läuft</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>server request</source>
        <translation>Server-Anfrage</translation>
    </message>
    <message>
        <source>changed: different server requests</source>
        <translation>geändert: andere Server-Anfragen</translation>
    </message>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>changed: result instead of an error</source>
        <translation>geändert: Ergebnis statt Fehler</translation>
    </message>
    <message>
        <source>changed in 1 place</source>
        <translation>an 1 Stelle geändert</translation>
    </message>
    <message>
        <source>changed in %1 places</source>
        <translation>an %1 Stellen geändert</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>nicht gesendet</translation>
    </message>
    <message>
        <source>failed: not sent</source>
        <translation>fehlgeschlagen: nicht gesendet</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>failed: no response</source>
        <translation>fehlgeschlagen: keine Antwort</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>%1 same</source>
        <translation>%1 gleich</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 geändert</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 skipped</source>
        <translation>%1 übersprungen</translation>
    </message>
    <message>
        <source>%1 passed</source>
        <translation>%1 bestanden</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 ignored by rule</source>
        <translation>1 durch Regel ignoriert</translation>
    </message>
    <message>
        <source>%1 ignored by rules</source>
        <translation>%1 durch Regeln ignoriert</translation>
    </message>
    <message>
        <source>no differences</source>
        <translation>keine Unterschiede</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>timestamps</source>
        <translation>Zeitstempel</translation>
    </message>
    <message>
        <source>UUIDs</source>
        <translation>UUIDs</translation>
    </message>
    <message>
        <source>text matching %1</source>
        <translation>Text passend zu %1</translation>
    </message>
    <message>
        <source> anywhere</source>
        <translation> überall</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation> bei %1</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation> in %1</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequestModel</name>
    <message>
        <source>elicitation · URL</source>
        <translation>Elicitation · URL</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>geöffnet</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>abgeschlossen</translation>
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
        <translation>wartet %1</translation>
    </message>
    <message>
        <source>during %1</source>
        <translation>während %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequestPage</name>
    <message>
        <source>Decline</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Request from %1</source>
        <translation>Anfrage von %1</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Eingabe</translation>
    </message>
    <message>
        <source>Tells the server that you declined</source>
        <translation>Teilt dem Server mit, dass Sie abgelehnt haben</translation>
    </message>
    <message>
        <source>Does not open it; nothing is sent to the server</source>
        <translation>Öffnet sie nicht; es wird nichts an den Server gesendet</translation>
    </message>
    <message>
        <source>Tells the server that you dismissed the request without deciding</source>
        <translation>Teilt dem Server mit, dass Sie die Anfrage ohne Entscheidung geschlossen haben</translation>
    </message>
    <message>
        <source>Tells the server that you rejected its request</source>
        <translation>Teilt dem Server mit, dass Sie seine Anfrage zurückgewiesen haben</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Zurückweisen</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>Mehr ▾</translation>
    </message>
    <message>
        <source>More ways to respond</source>
        <translation>Weitere Antwortmöglichkeiten</translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · %2 von %3</translation>
    </message>
    <message>
        <source>Next request (%1 waiting)</source>
        <translation>Nächste Anfrage (%1 warten)</translation>
    </message>
    <message>
        <source>waiting %1</source>
        <translation>wartet %1</translation>
    </message>
    <message>
        <source>during %1</source>
        <translation>während %1</translation>
    </message>
    <message>
        <source>The server withdrew this request.</source>
        <translation>Der Server hat diese Anfrage zurückgezogen.</translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>Es wurde nichts gesendet.</translation>
    </message>
    <message>
        <source>Its reason: “%1”. Nothing was sent.</source>
        <translation>Sein Grund: „%1“. Es wurde nichts gesendet.</translation>
    </message>
    <message>
        <source>The call has ended.</source>
        <translation>Der Aufruf ist beendet.</translation>
    </message>
    <message>
        <source>%1 What you entered was not sent.</source>
        <translation>%1 Ihre Eingaben wurden nicht gesendet.</translation>
    </message>
    <message>
        <source>You closed the connection to the server.</source>
        <translation>Sie haben die Verbindung zum Server geschlossen.</translation>
    </message>
    <message>
        <source>Nothing was sent. The request is in the timeline.</source>
        <translation>Es wurde nichts gesendet. Die Anfrage steht in der Zeitleiste.</translation>
    </message>
    <message>
        <source>The connection to the server was lost.</source>
        <translation>Die Verbindung zum Server ging verloren.</translation>
    </message>
    <message>
        <source>This is no longer needed.</source>
        <translation>Dies wird nicht mehr benötigt.</translation>
    </message>
    <message>
        <source>Nothing was opened here.</source>
        <translation>Hier wurde nichts geöffnet.</translation>
    </message>
    <message>
        <source>Completed, according to the server.</source>
        <translation>Abgeschlossen, laut Server.</translation>
    </message>
    <message>
        <source>It is still waiting for your response.</source>
        <translation>Die Anfrage wartet noch auf Ihre Antwort.</translation>
    </message>
    <message>
        <source>Sonde cannot see what you do there. The server may report here when it is completed.</source>
        <translation>Sonde kann nicht sehen, was Sie dort tun. Der Server meldet hier eventuell den Abschluss.</translation>
    </message>
    <message>
        <source>Opened in your browser.</source>
        <translation>In Ihrem Browser geöffnet.</translation>
    </message>
    <message>
        <source>Try the call again when you are done.</source>
        <translation>Den Aufruf danach erneut versuchen.</translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation>Nicht gesendet: %1</translation>
    </message>
    <message>
        <source>Last response</source>
        <translation>Letzte Antwort</translation>
    </message>
    <message>
        <source>Always respond like this until the server stops</source>
        <translation>Immer so antworten, bis der Server stoppt</translation>
    </message>
    <message>
        <source>Always respond like this, including to the other waiting request</source>
        <translation>Immer so antworten, auch auf die andere wartende Anfrage</translation>
    </message>
    <message>
        <source>Always respond like this, including to the %1 other waiting requests</source>
        <translation>Immer so antworten, auch auf die %1 anderen wartenden Anfragen</translation>
    </message>
    <message>
        <source>Send without validation</source>
        <translation>Ohne Validierung senden</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequestPanel</name>
    <message>
        <source>Decline all</source>
        <translation>Alle ablehnen</translation>
    </message>
    <message>
        <source>Server requests</source>
        <translation>Server-Anfragen</translation>
    </message>
    <message>
        <source>Open server requests</source>
        <translation>Offene Server-Anfragen</translation>
    </message>
    <message>
        <source>Declines all waiting requests, including those of other servers</source>
        <translation>Lehnt alle wartenden Anfragen ab, auch die anderer Server</translation>
    </message>
    <message>
        <source>Fold to the status line</source>
        <translation>In die Statuszeile einklappen</translation>
    </message>
    <message>
        <source>Fold to the status line; nothing is sent</source>
        <translation>In die Statuszeile einklappen; es wird nichts gesendet</translation>
    </message>
    <message>
        <source>Request from %1: %2</source>
        <translation>Anfrage von %1: %2</translation>
    </message>
    <message>
        <source>%1 requests waiting for you</source>
        <translation>%1 Anfragen warten auf Sie</translation>
    </message>
    <message>
        <source>1 more request ended without a response.</source>
        <translation>1 weitere Anfrage endete ohne Antwort.</translation>
    </message>
    <message>
        <source>%1 more requests ended without a response.</source>
        <translation>%1 weitere Anfragen endeten ohne Antwort.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RequiredUrlsBanner</name>
    <message>
        <source>waiting for your consent</source>
        <translation>wartet auf Ihre Zustimmung</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>geöffnet</translation>
    </message>
    <message>
        <source>not opened</source>
        <translation>nicht geöffnet</translation>
    </message>
    <message>
        <source>%1 completed, according to the server</source>
        <translation>%1 abgeschlossen, laut Server</translation>
    </message>
    <message>
        <source>the connection was lost</source>
        <translation>die Verbindung ging verloren</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Makes the same call again</source>
        <translation>Führt denselben Aufruf erneut aus</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>1 more in the requests panel</source>
        <translation>1 weitere im Anfragenbereich</translation>
    </message>
    <message>
        <source>%1 more in the requests panel</source>
        <translation>%1 weitere im Anfragenbereich</translation>
    </message>
    <message>
        <source>Everything is completed, according to the server. Try the call again.</source>
        <translation>Laut Server ist alles abgeschlossen. Den Aufruf erneut versuchen.</translation>
    </message>
    <message>
        <source>Open a URL first, then try the call again.</source>
        <translation>Zuerst eine URL öffnen, dann den Aufruf erneut versuchen.</translation>
    </message>
    <message>
        <source>Open %1 URLs first, then try the call again.</source>
        <translation>Zuerst %1 URLs öffnen, dann den Aufruf erneut versuchen.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResourceWatch</name>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Subscribed again when the server is connected.</source>
        <translation>Wird wieder abonniert, wenn der Server verbunden ist.</translation>
    </message>
    <message>
        <source>Subscription lost; reconnecting…</source>
        <translation>Abonnement verloren; wird neu verbunden&#xa0;…</translation>
    </message>
    <message>
        <source>Subscribing…</source>
        <translation>Wird abonniert&#xa0;…</translation>
    </message>
    <message>
        <source>Not subscribed: %1</source>
        <translation>Nicht abonniert: %1</translation>
    </message>
    <message>
        <source>The server ended the subscription.</source>
        <translation>Der Server hat das Abonnement beendet.</translation>
    </message>
    <message>
        <source>Subscription lost: %1 %2</source>
        <translation>Abonnement verloren: %1 %2</translation>
    </message>
    <message>
        <source>● Live</source>
        <translation>● Live</translation>
    </message>
    <message>
        <source>● Live · changed at %1</source>
        <translation>● Live · geändert um %1</translation>
    </message>
    <message>
        <source>Unsubscribe</source>
        <translation>Abonnement beenden</translation>
    </message>
    <message>
        <source>Subscribe again</source>
        <translation>Erneut abonnieren</translation>
    </message>
    <message>
        <source>Subscribe</source>
        <translation>Abonnieren</translation>
    </message>
    <message>
        <source>The server sends a notification when this resource changes; Sonde then reads it again.</source>
        <translation>Der Server sendet eine Benachrichtigung, wenn sich diese Ressource ändert; Sonde liest sie dann neu.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::Result</name>
    <message>
        <source>1 channel</source>
        <translation>1 Kanal</translation>
    </message>
    <message>
        <source>%1 channels</source>
        <translation>%1 Kanäle</translation>
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
        <translation>Kein darstellbares Bild (deklariert als %1).</translation>
    </message>
    <message>
        <source>Looks like %1 but cannot be decoded.</source>
        <translation>Sieht aus wie %1, kann aber nicht dekodiert werden.</translation>
    </message>
    <message>
        <source>Image too large to show: %1. You can save it.</source>
        <translation>Bild zu groß zum Anzeigen: %1. Es kann gespeichert werden.</translation>
    </message>
    <message>
        <source>Declared as %1, but the data is %2.</source>
        <translation>Deklariert als %1, aber die Daten sind %2.</translation>
    </message>
    <message>
        <source>Invalid base64: %1</source>
        <translation>Ungültiges Base64: %1</translation>
    </message>
    <message>
        <source>SVG, shown as source</source>
        <translation>SVG, als Quelltext angezeigt</translation>
    </message>
    <message>
        <source>The image cannot be decoded: %1.</source>
        <translation>Das Bild kann nicht dekodiert werden: %1.</translation>
    </message>
    <message>
        <source>content</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>Nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>Saved to %1</source>
        <translation>Gespeichert in %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultHeader</name>
    <message>
        <source>Response view</source>
        <translation>Ansicht der Antwort</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>The result</source>
        <translation>Das Ergebnis</translation>
    </message>
    <message>
        <source>Structured</source>
        <translation>Strukturiert</translation>
    </message>
    <message>
        <source>Structured content as a tree</source>
        <translation>Strukturierter Inhalt als Baum</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>Roh</translation>
    </message>
    <message>
        <source>Message exactly as received</source>
        <translation>Nachricht genau wie empfangen</translation>
    </message>
    <message>
        <source>… resuming</source>
        <translation>… wird fortgesetzt</translation>
    </message>
    <message>
        <source>… running</source>
        <translation>… läuft</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>aus dem Cache</translation>
    </message>
    <message>
        <source>Duration, size and time: %1</source>
        <translation>Dauer, Größe und Zeit: %1</translation>
    </message>
    <message>
        <source>Copy summary</source>
        <translation>Zusammenfassung kopieren</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultMenus</name>
    <message>
        <source>Copy message as JSON</source>
        <translation>Nachricht als JSON kopieren</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen&#xa0;…</translation>
    </message>
    <message>
        <source>Filter timeline by this value</source>
        <translation>Zeitleiste nach diesem Wert filtern</translation>
    </message>
    <message>
        <source>Filter timeline by selected text</source>
        <translation>Zeitleiste nach ausgewähltem Text filtern</translation>
    </message>
    <message>
        <source>Filter timeline by this resource</source>
        <translation>Zeitleiste nach dieser Ressource filtern</translation>
    </message>
    <message>
        <source>Filter timeline by this call</source>
        <translation>Zeitleiste nach diesem Aufruf filtern</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ResultView</name>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Structured content</source>
        <translation>Strukturierter Inhalt</translation>
    </message>
    <message>
        <source>The server returned no contents.</source>
        <translation>Der Server lieferte keine Inhalte.</translation>
    </message>
    <message>
        <source>Show more of the response</source>
        <translation>Mehr von der Antwort anzeigen</translation>
    </message>
    <message>
        <source>1 block not shown</source>
        <translation>1 Block nicht angezeigt</translation>
    </message>
    <message>
        <source>%1 blocks not shown</source>
        <translation>%1 Blöcke nicht angezeigt</translation>
    </message>
    <message>
        <source>Show %1 more of %2</source>
        <translation>%1 weitere von %2 anzeigen</translation>
    </message>
    <message>
        <source>The result has no content.</source>
        <translation>Das Ergebnis hat keinen Inhalt.</translation>
    </message>
    <message>
        <source>No content blocks. Hosts that read only content show the model nothing.</source>
        <translation>Keine Inhaltsblöcke. Hosts, die nur content lesen, zeigen dem Modell nichts.</translation>
    </message>
    <message>
        <source>Empty content; a model would see nothing.</source>
        <translation>Leerer Inhalt; ein Modell würde nichts sehen.</translation>
    </message>
    <message>
        <source>does not match outputSchema</source>
        <translation>entspricht nicht outputSchema</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>The prompt has no messages.</source>
        <translation>Der Prompt hat keine Nachrichten.</translation>
    </message>
    <message>
        <source>no role</source>
        <translation>keine Rolle</translation>
    </message>
    <message>
        <source>Role: %1</source>
        <translation>Rolle: %1</translation>
    </message>
    <message>
        <source>Empty message.</source>
        <translation>Leere Nachricht.</translation>
    </message>
    <message>
        <source>Error data</source>
        <translation>Fehlerdaten</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Last line of stderr</source>
        <translation>Letzte Zeile von stderr</translation>
    </message>
    <message>
        <source>Last %1 lines of stderr</source>
        <translation>Letzte %1 Zeilen von stderr</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>No result yet</source>
        <translation>Noch kein Ergebnis</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>Copy error text</source>
        <translation>Fehlertext kopieren</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RetentionDialog</name>
    <message>
        <source>Delete sessions</source>
        <translation>Sitzungen löschen</translation>
    </message>
    <message>
        <source>This session exceeds the limits that you set in Preferences.</source>
        <translation>Diese Sitzung überschreitet die in den Einstellungen festgelegten Grenzen.</translation>
    </message>
    <message>
        <source>These %1 sessions exceed the limits that you set in Preferences.</source>
        <translation>Diese %1 Sitzungen überschreiten die in den Einstellungen festgelegten Grenzen.</translation>
    </message>
    <message>
        <source>Sessions to delete</source>
        <translation>Zu löschende Sitzungen</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>%1 in all. This cannot be undone.</source>
        <translation>%1 insgesamt. Dies kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Diese löschen</translation>
    </message>
    <message>
        <source>%1 Pinned and open sessions are kept.</source>
        <translation>%1 Angeheftete und geöffnete Sitzungen werden behalten.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RowComparison</name>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RowMenu</name>
    <message>
        <source>Open in new window</source>
        <translation>In neuem Fenster öffnen</translation>
    </message>
    <message>
        <source>Go to response</source>
        <translation>Zur Antwort</translation>
    </message>
    <message>
        <source>Go to request</source>
        <translation>Zur Anfrage</translation>
    </message>
    <message>
        <source>Replay selected…</source>
        <translation>Auswahl erneut abspielen&#xa0;…</translation>
    </message>
    <message>
        <source>Export selected…</source>
        <translation>Auswahl exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>Als JSON kopieren</translation>
    </message>
    <message>
        <source>Copy as curl</source>
        <translation>Als curl kopieren</translation>
    </message>
    <message>
        <source>HTTP only</source>
        <translation>nur HTTP</translation>
    </message>
    <message>
        <source>Copy as sonde-cli command</source>
        <translation>Als sonde-cli-Befehl kopieren</translation>
    </message>
    <message>
        <source>tools, resources and prompts only</source>
        <translation>nur Tools, Ressourcen und Prompts</translation>
    </message>
    <message>
        <source>params are not an object</source>
        <translation>params ist kein Objekt</translation>
    </message>
    <message>
        <source>launch command not recorded</source>
        <translation>Startbefehl nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Erneut senden</translation>
    </message>
    <message>
        <source>Edit and send…</source>
        <translation>Bearbeiten und senden&#xa0;…</translation>
    </message>
    <message>
        <source>Save as saved call…</source>
        <translation>Als gespeicherten Aufruf sichern&#xa0;…</translation>
    </message>
    <message>
        <source>Compare selected rows</source>
        <translation>Ausgewählte Zeilen vergleichen</translation>
    </message>
    <message>
        <source>Compare with #%1</source>
        <translation>Mit #%1 vergleichen</translation>
    </message>
    <message>
        <source>Select for comparison</source>
        <translation>Zum Vergleich auswählen</translation>
    </message>
    <message>
        <source>Then choose another row, or select two rows with Ctrl.</source>
        <translation>Dann eine andere Zeile wählen oder zwei Zeilen mit Strg auswählen.</translation>
    </message>
    <message>
        <source>Show time</source>
        <translation>Zeit anzeigen</translation>
    </message>
    <message>
        <source>As clock</source>
        <translation>Als Uhrzeit</translation>
    </message>
    <message>
        <source>Since session start</source>
        <translation>Seit Sitzungsbeginn</translation>
    </message>
    <message>
        <source>Since previous row</source>
        <translation>Seit vorheriger Zeile</translation>
    </message>
    <message>
        <source>Since its request</source>
        <translation>Seit der zugehörigen Anfrage</translation>
    </message>
</context>
<context>
    <name>sonde::ui::RunningView</name>
    <message>
        <source>Show request</source>
        <translation>Anfrage anzeigen</translation>
    </message>
    <message>
        <source>Elapsed time</source>
        <translation>Verstrichene Zeit</translation>
    </message>
    <message>
        <source>Progress message from the server</source>
        <translation>Fortschrittsmeldung vom Server</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Show the request of the server</source>
        <translation>Die Anfrage des Servers anzeigen</translation>
    </message>
    <message>
        <source>Shows the server&apos;s request</source>
        <translation>Zeigt die Anfrage des Servers</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen&#xa0;…</translation>
    </message>
    <message>
        <source>Resuming (%1)… %2 s</source>
        <translation>Wird fortgesetzt (%1)&#xa0;… %2 s</translation>
    </message>
    <message>
        <source>Waiting for sign-in… %1 s</source>
        <translation>Warten auf Anmeldung&#xa0;… %1 s</translation>
    </message>
    <message>
        <source>Running as a task… %1 s</source>
        <translation>Läuft als Task&#xa0;… %1 s</translation>
    </message>
    <message>
        <source>Waiting for response… %1 s</source>
        <translation>Warten auf Antwort&#xa0;… %1 s</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Cancel call</source>
        <translation>Aufruf abbrechen</translation>
    </message>
    <message>
        <source>Waiting for your response… %1</source>
        <translation>Warten auf Ihre Antwort&#xa0;… %1</translation>
    </message>
    <message>
        <source>Cancel the call</source>
        <translation>Den Aufruf abbrechen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SamplingBody</name>
    <message>
        <source>max %1 tokens</source>
        <translation>max. %1 Token</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>Temperatur %1</translation>
    </message>
    <message>
        <source>stop sequences %1</source>
        <translation>Stoppsequenzen %1</translation>
    </message>
    <message>
        <source>context %1</source>
        <translation>Kontext %1</translation>
    </message>
    <message>
        <source>model like %1</source>
        <translation>Modell wie %1</translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation>Kosten %1</translation>
    </message>
    <message>
        <source>speed %1</source>
        <translation>Tempo %1</translation>
    </message>
    <message>
        <source>intelligence %1</source>
        <translation>Intelligenz %1</translation>
    </message>
    <message>
        <source>tool call: %1</source>
        <translation>Tool-Aufruf: %1</translation>
    </message>
    <message>
        <source>tool result</source>
        <translation>Tool-Ergebnis</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>(no role)</source>
        <translation>(keine Rolle)</translation>
    </message>
    <message>
        <source>The server sent no messages.</source>
        <translation>Der Server hat keine Nachrichten gesendet.</translation>
    </message>
    <message>
        <source>The timeline shows the rest.</source>
        <translation>Den Rest zeigt die Zeitleiste.</translation>
    </message>
    <message>
        <source>tool %1: %2</source>
        <translation>Tool %1: %2</translation>
    </message>
    <message>
        <source>tool choice: %1</source>
        <translation>Tool-Wahl: %1</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>Tool-Aufrufe</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>Respond</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Short text</source>
        <translation>Kurzer Text</translation>
    </message>
    <message>
        <source>Cut off at the token limit</source>
        <translation>Am Token-Limit abgeschnitten</translation>
    </message>
    <message>
        <source>Call the tool %1</source>
        <translation>Das Tool %1 aufrufen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SaveCallDialog</name>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save as saved call</source>
        <translation>Als gespeicherten Aufruf sichern</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>Expect the &amp;same error</source>
        <translation>&amp;Gleichen Fehler erwarten</translation>
    </message>
    <message>
        <source>Expect the &amp;same result</source>
        <translation>&amp;Gleiches Ergebnis erwarten</translation>
    </message>
    <message>
        <source>Otherwise any response with the same outcome passes</source>
        <translation>Sonst besteht jede Antwort mit gleichem Ausgang</translation>
    </message>
    <message>
        <source>Expectation</source>
        <translation>Erwartung</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replaces %1.</source>
        <translation>Ersetzt %1.</translation>
    </message>
    <message>
        <source>Creates %1.</source>
        <translation>Erstellt %1.</translation>
    </message>
    <message>
        <source>Secrets are not saved: they are read from the environment variables %1.</source>
        <translation>Geheimnisse werden nicht gespeichert: Sie werden aus den Umgebungsvariablen %1 gelesen.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SavedCallBar</name>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Read file</source>
        <translation>Datei lesen</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meine behalten</translation>
    </message>
    <message>
        <source>Show differences</source>
        <translation>Unterschiede anzeigen</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Write these arguments to the file</source>
        <translation>Diese Argumente in die Datei schreiben</translation>
    </message>
    <message>
        <source>Replace the arguments here by those of the file; undo brings them back</source>
        <translation>Die Argumente hier durch die der Datei ersetzen; Rückgängig stellt sie wieder her</translation>
    </message>
    <message>
        <source>Keep the arguments here; Save writes them to the file</source>
        <translation>Die Argumente hier behalten; Speichern schreibt sie in die Datei</translation>
    </message>
    <message>
        <source>What came back becomes what is expected, in the file</source>
        <translation>Was zurückkam, wird in der Datei zur Erwartung</translation>
    </message>
    <message>
        <source>%1 Save writes it again.</source>
        <translation>%1 Speichern schreibt sie erneut.</translation>
    </message>
    <message>
        <source>Another program changed the arguments in the file. Yours are not saved.</source>
        <translation>Ein anderes Programm hat die Argumente in der Datei geändert. Ihre sind nicht gespeichert.</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>Nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>Gespeichert.</translation>
    </message>
    <message>
        <source>Saved. Secrets are read from the environment: %1.</source>
        <translation>Gespeichert. Geheimnisse werden aus der Umgebung gelesen: %1.</translation>
    </message>
    <message>
        <source>expects the saved result</source>
        <translation>erwartet das gespeicherte Ergebnis</translation>
    </message>
    <message>
        <source>expects the saved error</source>
        <translation>erwartet den gespeicherten Fehler</translation>
    </message>
    <message>
        <source>expects %1</source>
        <translation>erwartet %1</translation>
    </message>
    <message>
        <source>1 ignore rule</source>
        <translation>1 Ignorierregel</translation>
    </message>
    <message>
        <source>%1 ignore rules</source>
        <translation>%1 Ignorierregeln</translation>
    </message>
    <message>
        <source>within %1 ms</source>
        <translation>innerhalb von %1 ms</translation>
    </message>
    <message>
        <source>Cancelled by you.</source>
        <translation>Von Ihnen abgebrochen.</translation>
    </message>
    <message>
        <source>Passed: %1, as expected</source>
        <translation>Bestanden: %1, wie erwartet</translation>
    </message>
    <message>
        <source>Not as expected</source>
        <translation>Nicht wie erwartet</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SavedCallsPanel</name>
    <message>
        <source>Saved call</source>
        <translation>Gespeicherter Aufruf</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Duration in milliseconds</source>
        <translation>Dauer in Millisekunden</translation>
    </message>
    <message>
        <source>Rerun failed</source>
        <translation>Fehlgeschlagene ausführen</translation>
    </message>
    <message>
        <source>Run those that did not pass again</source>
        <translation>Nicht bestandene erneut ausführen</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>Gespeicherte Aufrufe</translation>
    </message>
    <message>
        <source>The server was closed.</source>
        <translation>Der Server wurde geschlossen.</translation>
    </message>
    <message>
        <source>Saved calls · %1 → %2</source>
        <translation>Gespeicherte Aufrufe · %1 → %2</translation>
    </message>
    <message>
        <source>Not all calls were run</source>
        <translation>Nicht alle Aufrufe wurden ausgeführt</translation>
    </message>
    <message>
        <source>The server was restarted.</source>
        <translation>Der Server wurde neu gestartet.</translation>
    </message>
    <message>
        <source>The server %1.</source>
        <translation>Server: %1.</translation>
    </message>
    <message>
        <source>The server was stopped.</source>
        <translation>Der Server wurde gestoppt.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <source>The suite is running</source>
        <translation>Die Suite läuft</translation>
    </message>
    <message>
        <source>No call has returned anything but what is expected</source>
        <translation>Kein Aufruf hat etwas anderes als erwartet geliefert</translation>
    </message>
    <message>
        <source>Restored, but not run</source>
        <translation>Wiederhergestellt, aber nicht ausgeführt</translation>
    </message>
    <message>
        <source>Nothing is sent until you click Run again.</source>
        <translation>Bis Sie auf „Erneut ausführen“ klicken, wird nichts gesendet.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SchemaForm</name>
    <message>
        <source>This tool declares no arguments; you can add your own.</source>
        <translation>Dieses Tool deklariert keine Argumente; andere können hinzugefügt werden.</translation>
    </message>
    <message>
        <source>This tool takes no arguments.</source>
        <translation>Dieses Tool nimmt keine Argumente.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SchemaWindow</name>
    <message>
        <source>Schema of %1</source>
        <translation>Schema von %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SecretEditor</name>
    <message>
        <source>empty string</source>
        <translation>leere Zeichenkette</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SendDialog</name>
    <message>
        <source>Send  Ctrl+↵</source>
        <translation>Senden  Strg+↵</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Edit and send</source>
        <translation>Bearbeiten und senden</translation>
    </message>
    <message>
        <source>Editing mode</source>
        <translation>Bearbeitungsmodus</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>Method, id and params</source>
        <translation>Methode, ID und params</translation>
    </message>
    <message>
        <source>Raw JSON</source>
        <translation>JSON roh</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>ID, as JSON</source>
        <translation>ID, als JSON</translation>
    </message>
    <message>
        <source>none (notification)</source>
        <translation>keine (Benachrichtigung)</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>Params</translation>
    </message>
    <message>
        <source>no params</source>
        <translation>keine params</translation>
    </message>
    <message>
        <source>▲ Editing as fields needs valid JSON: an object with a method.</source>
        <translation>▲ Bearbeiten als Felder braucht gültiges JSON: ein Objekt mit einer Methode.</translation>
    </message>
    <message>
        <source>No ID; no response will follow</source>
        <translation>Keine ID; es folgt keine Antwort</translation>
    </message>
    <message>
        <source>new ID</source>
        <translation>neue ID</translation>
    </message>
    <message>
        <source>Original ID; the response may be matched to the first request</source>
        <translation>Ursprüngliche ID; die Antwort wird eventuell der ersten Anfrage zugeordnet</translation>
    </message>
    <message>
        <source>Custom ID, as JSON</source>
        <translation>Eigene ID, als JSON</translation>
    </message>
    <message>
        <source>▲ This is not valid JSON. It will be sent anyway, unchanged, on one line.</source>
        <translation>▲ Dies ist kein gültiges JSON. Es wird trotzdem gesendet, unverändert, in einer Zeile.</translation>
    </message>
    <message>
        <source>A secret was redacted in the session. Replace ‹…› with the real value.</source>
        <translation>Ein Geheimnis wurde in der Sitzung geschwärzt. ‹…› durch den echten Wert ersetzen.</translation>
    </message>
    <message>
        <source>Undo reset</source>
        <translation>Zurücksetzen rückgängig</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerDialog</name>
    <message>
        <source>Add and connect</source>
        <translation>Hinzufügen und verbinden</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Inherit Sonde&apos;s full environment</source>
        <translation>Sondes gesamte Umgebung erben</translation>
    </message>
    <message>
        <source>Use the login shell&apos;s PATH</source>
        <translation>PATH der Login-Shell verwenden</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Load lists page by page</source>
        <translation>Listen seitenweise laden</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>Header</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>%1 bearbeiten</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>&amp;Command line</source>
        <translation>&amp;Befehlszeile</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>home directory</source>
        <translation>Home-Verzeichnis</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Working directory</source>
        <translation>&amp;Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>&amp;Umgebung</translation>
    </message>
    <message>
        <source>Otherwise the server gets HOME, PATH, LANG and a few others, plus the variables above.</source>
        <translation>Andernfalls erhält der Server HOME, PATH, LANG und einige andere sowie die Variablen oben.</translation>
    </message>
    <message>
        <source>PATH as in a terminal, where version managers set it. Your shell is run once to read it.</source>
        <translation>PATH wie in einem Terminal, wo Versionsmanager es setzen. Dazu wird Ihre Shell einmal ausgeführt.</translation>
    </message>
    <message>
        <source>&amp;URL</source>
        <translation>&amp;URL</translation>
    </message>
    <message>
        <source>&amp;Transport</source>
        <translation>&amp;Transport</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Header</translation>
    </message>
    <message>
        <source>&amp;Headers</source>
        <translation>&amp;Header</translation>
    </message>
    <message>
        <source>Sent with every request; secrets are masked in sessions.</source>
        <translation>Wird mit jeder Anfrage gesendet; Geheimnisse werden in Sitzungen maskiert.</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netzwerk</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>Transport</translation>
    </message>
    <message>
        <source>Automatic tries Streamable HTTP first, then HTTP+SSE. Takes effect at the next start.</source>
        <translation>Automatisch versucht zuerst Streamable HTTP, dann HTTP+SSE. Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
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
        <translation>Protokollrevision</translation>
    </message>
    <message>
        <source>Automatic sends server/discover to see whether the server supports 2026-07-28, and falls back to initialize. Takes effect at the next start.</source>
        <translation>Automatisch sendet server/discover, um zu sehen, ob der Server 2026-07-28 unterstützt, und weicht sonst auf initialize aus. Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>&amp;Protocol revision</source>
        <translation>&amp;Protokollrevision</translation>
    </message>
    <message>
        <source>Roots</source>
        <translation>Roots</translation>
    </message>
    <message>
        <source>Folders to send to the server when it asks for roots</source>
        <translation>Ordner, die dem Server gesendet werden, wenn er nach Roots fragt</translation>
    </message>
    <message>
        <source>&amp;Roots</source>
        <translation>&amp;Roots</translation>
    </message>
    <message>
        <source>Elicitation: forms</source>
        <translation>Elicitation: Formulare</translation>
    </message>
    <message>
        <source>Elicitation: URLs</source>
        <translation>Elicitation: URLs</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>Sampling: tools</source>
        <translation>Sampling: Tools</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Tasks</translation>
    </message>
    <message>
        <source>Client info (2026-07-28)</source>
        <translation>Client-Info (2026-07-28)</translation>
    </message>
    <message>
        <source>Client capabilities</source>
        <translation>Client-Fähigkeiten</translation>
    </message>
    <message>
        <source>Switch one off to see how the server treats a client without it. Takes effect at the next start.</source>
        <translation>Etwas abschalten, um zu sehen, wie der Server einen Client ohne dies behandelt. Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Connecting loads only the first page of tools, resources and prompts; load more from the list in the side bar. Takes effect at the next start.</source>
        <translation>Beim Verbinden wird nur die erste Seite der Tools, Ressourcen und Prompts geladen; weitere lassen sich in der Liste der Seitenleiste laden. Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten&#xa0;…</translation>
    </message>
    <message>
        <source>Edit sign-in settings</source>
        <translation>Anmeldeeinstellungen bearbeiten</translation>
    </message>
    <message>
        <source>Grant and client of the sign-in</source>
        <translation>Grant und Client der Anmeldung</translation>
    </message>
    <message>
        <source>Edit network settings</source>
        <translation>Netzwerkeinstellungen bearbeiten</translation>
    </message>
    <message>
        <source>Proxy, certificates and allowed hosts</source>
        <translation>Proxy, Zertifikate und erlaubte Hosts</translation>
    </message>
    <message>
        <source>Enter the server&apos;s URL.</source>
        <translation>Die URL des Servers eingeben.</translation>
    </message>
    <message>
        <source>Enter the command that starts the server.</source>
        <translation>Den Befehl eingeben, der den Server startet.</translation>
    </message>
    <message>
        <source>Enter a name for the server.</source>
        <translation>Einen Namen für den Server eingeben.</translation>
    </message>
    <message>
        <source>That looks like a URL; switched to URL.</source>
        <translation>Das sieht wie eine URL aus; auf URL umgestellt.</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>Zeitlimits</translation>
    </message>
    <message>
        <source>Edit timeouts</source>
        <translation>Zeitlimits bearbeiten</translation>
    </message>
    <message>
        <source>How long to wait for this server</source>
        <translation>Wie lange auf diesen Server gewartet wird</translation>
    </message>
    <message>
        <source>as in the preferences</source>
        <translation>wie in den Einstellungen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerExportDialog</name>
    <message>
        <source>&amp;Include secret values</source>
        <translation>&amp;Geheime Werte einschließen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern&#xa0;…</translation>
    </message>
    <message>
        <source>Export servers</source>
        <translation>Server exportieren</translation>
    </message>
    <message>
        <source>Servers to export</source>
        <translation>Zu exportierende Server</translation>
    </message>
    <message>
        <source>mcpServers JSON</source>
        <translation>mcpServers-JSON</translation>
    </message>
    <message>
        <source>Otherwise a placeholder such as &lt;API_KEY&gt; is written</source>
        <translation>Andernfalls wird ein Platzhalter wie &lt;API_KEY&gt; geschrieben</translation>
    </message>
    <message>
        <source>Choose at least one server.</source>
        <translation>Mindestens einen Server wählen.</translation>
    </message>
    <message>
        <source>Waiting for the keychain</source>
        <translation>Warten auf den Schlüsselbund</translation>
    </message>
    <message>
        <source>%1 Values that could not be read are replaced by placeholders.</source>
        <translation>%1 Nicht lesbare Werte werden durch Platzhalter ersetzt.</translation>
    </message>
    <message>
        <source>The text contains secrets. Do not share it.</source>
        <translation>Der Text enthält Geheimnisse. Nicht weitergeben.</translation>
    </message>
    <message>
        <source>Secrets are replaced by placeholders.</source>
        <translation>Geheimnisse werden durch Platzhalter ersetzt.</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
    <message>
        <source>mcpServers JSON (*.json)</source>
        <translation>mcpServers-JSON (*.json)</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerListModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerListView</name>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>No matching servers. Esc clears the filter.</source>
        <translation>Keine passenden Server. Esc leert den Filter.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerPanel</name>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Detect again</source>
        <translation>Erneut erkennen</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>Fähigkeiten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Ping</source>
        <translation>Ping</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Tasks</translation>
    </message>
    <message>
        <source>Refresh lists</source>
        <translation>Listen aktualisieren</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten&#xa0;…</translation>
    </message>
    <message>
        <source>List tools, resources and prompts again</source>
        <translation>Tools, Ressourcen und Prompts neu auflisten</translation>
    </message>
    <message>
        <source>Reconnects and detects the protocol revision and transport again</source>
        <translation>Verbindet neu und erkennt Protokollrevision und Transport erneut</translation>
    </message>
    <message>
        <source>Load icons of this server</source>
        <translation>Icons dieses Servers laden</translation>
    </message>
    <message>
        <source>Client and server capabilities</source>
        <translation>Fähigkeiten von Client und Server</translation>
    </message>
    <message>
        <source>%1 %2 s</source>
        <translation>%1 %2 s</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Restart (%1)</source>
        <translation>Neu starten (%1)</translation>
    </message>
    <message>
        <source>Reconnect (%1)</source>
        <translation>Neu verbinden (%1)</translation>
    </message>
    <message>
        <source>Start (%1)</source>
        <translation>Starten (%1)</translation>
    </message>
    <message>
        <source>Connect (%1)</source>
        <translation>Verbinden (%1)</translation>
    </message>
    <message>
        <source>capabilities</source>
        <translation>Fähigkeiten</translation>
    </message>
    <message>
        <source>%1 did not start</source>
        <translation>%1 ist nicht gestartet</translation>
    </message>
    <message>
        <source>%1 did not connect</source>
        <translation>%1 konnte nicht verbinden</translation>
    </message>
    <message>
        <source> and 1 other host</source>
        <translation> und 1 weiterem Host</translation>
    </message>
    <message>
        <source> and %1 other hosts</source>
        <translation> und %1 weiteren Hosts</translation>
    </message>
    <message>
        <source>Stop loading icons from %1</source>
        <translation>Keine Icons mehr von %1 laden</translation>
    </message>
    <message>
        <source>Load icons of this server from %1</source>
        <translation>Icons dieses Servers von %1 laden</translation>
    </message>
    <message>
        <source>Sonde sends nothing about you, but the host learns your IP address.</source>
        <translation>Sonde sendet nichts über Sie, aber der Host erfährt Ihre IP-Adresse.</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Tools</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>Resource templates</source>
        <translation>Ressourcenvorlagen</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>%1 loaded, more on the server</source>
        <translation>%1 geladen, mehr auf dem Server</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Hide launch details</source>
        <translation>Startdetails ausblenden</translation>
    </message>
    <message>
        <source>Show launch details</source>
        <translation>Startdetails anzeigen</translation>
    </message>
    <message>
        <source>Hide connection details</source>
        <translation>Verbindungsdetails ausblenden</translation>
    </message>
    <message>
        <source>Show connection details</source>
        <translation>Verbindungsdetails anzeigen</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 Tool</translation>
    </message>
    <message>
        <source>%1 tools</source>
        <translation>%1 Tools</translation>
    </message>
    <message>
        <source>1 resource</source>
        <translation>1 Ressource</translation>
    </message>
    <message>
        <source>%1 resources</source>
        <translation>%1 Ressourcen</translation>
    </message>
    <message>
        <source>1 resource template</source>
        <translation>1 Ressourcenvorlage</translation>
    </message>
    <message>
        <source>%1 resource templates</source>
        <translation>%1 Ressourcenvorlagen</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 Prompt</translation>
    </message>
    <message>
        <source>%1 prompts</source>
        <translation>%1 Prompts</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>%1, version %2</source>
        <translation>%1, Version %2</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Website</source>
        <translation>Website</translation>
    </message>
    <message>
        <source>Offers</source>
        <translation>Bietet</translation>
    </message>
    <message>
        <source>Protocol revision</source>
        <translation>Protokollrevision</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>Handshake</translation>
    </message>
    <message>
        <source>Discovery</source>
        <translation>Erkennung</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>in memory only</source>
        <translation>nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>PATH</source>
        <translation>PATH</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ServerStatus</name>
    <message>
        <source>not started</source>
        <translation>nicht gestartet</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionHitsModel</name>
    <message>
        <source>Protocol error</source>
        <translation>Protokollfehler</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>Call or record</source>
        <translation>Aufruf oder Eintrag</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionPanel</name>
    <message>
        <source>Replay…</source>
        <translation>Erneut abspielen&#xa0;…</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Vergleichen&#xa0;…</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>Sitzung schließen</translation>
    </message>
    <message>
        <source>Its tools, resources and prompts are in the side bar, its messages below.</source>
        <translation>Ihre Tools, Ressourcen und Prompts stehen in der Seitenleiste, ihre Nachrichten unten.</translation>
    </message>
    <message>
        <source>Recorded session of %1</source>
        <translation>Aufgezeichnete Sitzung von %1</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Fehlschläge</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>ended normally</source>
        <translation>ordnungsgemäß beendet</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>Dateigröße</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionSearchPage</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Filter, such as: tool == search and outcome ~ error</source>
        <translation>Filter, etwa: tool == search and outcome ~ error</translation>
    </message>
    <message>
        <source>Filter for all sessions</source>
        <translation>Filter für alle Sitzungen</translation>
    </message>
    <message>
        <source>Time of the rows</source>
        <translation>Zeitraum der Zeilen</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Beliebige Zeit</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Last 365 days</source>
        <translation>Letzte 365 Tage</translation>
    </message>
    <message>
        <source>Found rows</source>
        <translation>Gefundene Zeilen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Search all recorded sessions</source>
        <translation>Alle aufgezeichneten Sitzungen durchsuchen</translation>
    </message>
    <message>
        <source>Type a timeline filter and press Enter. For the calls of one tool that failed: tool == search and outcome ~ error</source>
        <translation>Einen Filter der Zeitleiste eingeben und die Eingabetaste drücken. Für die fehlgeschlagenen Aufrufe eines Tools: tool == search and outcome ~ error</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche&#xa0;…</translation>
    </message>
    <message>
        <source>No rows match</source>
        <translation>Keine passenden Zeilen</translation>
    </message>
    <message>
        <source>Change the filter, or choose a longer time.</source>
        <translation>Den Filter ändern oder einen längeren Zeitraum wählen.</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 of %2 sessions</source>
        <translation>%1 von %2 Sitzungen</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 Sitzung</translation>
    </message>
    <message>
        <source>%1 sessions</source>
        <translation>%1 Sitzungen</translation>
    </message>
    <message>
        <source>There are more; only these are shown.</source>
        <translation>Es gibt mehr; nur diese werden angezeigt.</translation>
    </message>
    <message>
        <source>1 session could not be read.</source>
        <translation>1 Sitzung konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>%1 sessions could not be read.</source>
        <translation>%1 Sitzungen konnten nicht gelesen werden.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionsDialog</name>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Notes can have %1 characters; the pasted text is longer and was not inserted.</source>
        <translation>Notizen können %1 Zeichen lang sein; der eingefügte Text ist länger und wurde nicht übernommen.</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>Erneut abspielen&#xa0;…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen&#xa0;…</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>Aufgezeichnete Sitzungen</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Search all sessions</source>
        <translation>Alle Sitzungen durchsuchen</translation>
    </message>
    <message>
        <source>Filter by server, name or notes</source>
        <translation>Nach Server, Name oder Notizen filtern</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>Durchsehen&#xa0;…</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Notes about this session</source>
        <translation>Notizen zu dieser Sitzung</translation>
    </message>
    <message>
        <source>A pinned session is never proposed for deletion</source>
        <translation>Eine angeheftete Sitzung wird nie zum Löschen vorgeschlagen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Other file…</source>
        <translation>Andere Datei&#xa0;…</translation>
    </message>
    <message>
        <source>Repeat the session&apos;s calls and compare the responses</source>
        <translation>Die Aufrufe der Sitzung wiederholen und die Antworten vergleichen</translation>
    </message>
    <message>
        <source>Limits…</source>
        <translation>Grenzen&#xa0;…</translation>
    </message>
    <message>
        <source>How large a session may become, and which ones to keep</source>
        <translation>Wie groß eine Sitzung werden darf und welche behalten werden</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>1 session is beyond your limits</source>
        <translation>1 Sitzung überschreitet Ihre Grenzen</translation>
    </message>
    <message>
        <source>%1 sessions are beyond your limits</source>
        <translation>%1 Sitzungen überschreiten Ihre Grenzen</translation>
    </message>
    <message>
        <source>%1 in all. Nothing is deleted until you confirm the list.</source>
        <translation>%1 insgesamt. Es wird nichts gelöscht, bis Sie die Liste bestätigen.</translation>
    </message>
    <message>
        <source>No recorded sessions</source>
        <translation>Keine aufgezeichneten Sitzungen</translation>
    </message>
    <message>
        <source>Connect to a server; its session will appear here.</source>
        <translation>Mit einem Server verbinden; die Sitzung erscheint dann hier.</translation>
    </message>
    <message>
        <source>No sessions match “%1”</source>
        <translation>Keine Sitzung passt zu „%1“</translation>
    </message>
    <message>
        <source>Sessions are searched by server, name, notes and file name.</source>
        <translation>Sitzungen werden nach Server, Name, Notizen und Dateiname durchsucht.</translation>
    </message>
    <message>
        <source>★ Pinned</source>
        <translation>★ Angeheftet</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>Sitzung öffnen</translation>
    </message>
    <message>
        <source>Sessions (*.mcpsession);;All files (*)</source>
        <translation>Sitzungen (*.mcpsession);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Delete sessions</source>
        <translation>Sitzungen löschen</translation>
    </message>
    <message>
        <source>Delete this recorded session? This cannot be undone.</source>
        <translation>Diese aufgezeichnete Sitzung löschen? Dies kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Delete %1 recorded sessions? This cannot be undone.</source>
        <translation>%1 aufgezeichnete Sitzungen löschen? Dies kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SessionsModel</name>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Name and notes</source>
        <translation>Name und Notizen</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Fehlschläge</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>wird aufgezeichnet</translation>
    </message>
    <message>
        <source>replay</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>1 part is damaged and was skipped.</source>
        <translation>1 Teil ist beschädigt und wurde übersprungen.</translation>
    </message>
    <message>
        <source>%1 parts are damaged and were skipped.</source>
        <translation>%1 Teile sind beschädigt und wurden übersprungen.</translation>
    </message>
    <message>
        <source>The recording program did not end this session. What was recorded until then is complete.</source>
        <translation>Das aufzeichnende Programm hat diese Sitzung nicht beendet. Das bis dahin Aufgezeichnete ist vollständig.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::ShortcutEditor</name>
    <message>
        <source>Reassign</source>
        <translation>Neu zuweisen</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>No command matches.</source>
        <translation>Kein passender Befehl.</translation>
    </message>
    <message>
        <source>%1 alone is needed by text fields. Combine it with Ctrl or Alt.</source>
        <translation>%1 allein wird von Textfeldern benötigt. Mit Strg oder Alt kombinieren.</translation>
    </message>
    <message>
        <source>%1 is not free: %2.</source>
        <translation>%1 ist nicht frei: %2.</translation>
    </message>
    <message>
        <source>%1 is always “%2”.</source>
        <translation>%1 ist immer „%2“.</translation>
    </message>
    <message>
        <source>%1 is already used by “%2”.</source>
        <translation>%1 wird bereits von „%2“ verwendet.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Restore default</source>
        <translation>Standard wiederherstellen</translation>
    </message>
    <message>
        <source>Filter by command or shortcut</source>
        <translation>Nach Befehl oder Tastenkürzel filtern</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Shortcut of the command</source>
        <translation>Tastenkürzel des Befehls</translation>
    </message>
    <message>
        <source>Press the new shortcut</source>
        <translation>Das neue Tastenkürzel drücken</translation>
    </message>
    <message>
        <source>Remove the shortcut of this command</source>
        <translation>Das Tastenkürzel dieses Befehls entfernen</translation>
    </message>
    <message>
        <source>Give this command its default shortcut</source>
        <translation>Diesem Befehl sein Standard-Tastenkürzel geben</translation>
    </message>
    <message>
        <source>This shortcut belongs to the field or text that has the focus.</source>
        <translation>Dieses Tastenkürzel gehört zum Feld oder Text mit dem Fokus.</translation>
    </message>
    <message>
        <source>“%1” loses this shortcut</source>
        <translation>„%1“ verliert dieses Tastenkürzel</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SideBar</name>
    <message>
        <source>SERVERS</source>
        <translation>SERVER</translation>
    </message>
    <message>
        <source>Filter servers</source>
        <translation>Server filtern</translation>
    </message>
    <message>
        <source>Filter servers…</source>
        <translation>Server filtern&#xa0;…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SideBySide</name>
    <message>
        <source>JSON inside strings is formatted</source>
        <translation>JSON in Zeichenketten ist formatiert</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Formatting…</source>
        <translation>Wird formatiert&#xa0;…</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SignInDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>Diese Einstellungen verwenden</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>Sign-in to %1</source>
        <translation>Anmeldung bei %1</translation>
    </message>
    <message>
        <source>Grant</source>
        <translation>Grant</translation>
    </message>
    <message>
        <source>Authorization code: you, in the browser</source>
        <translation>Autorisierungscode: Sie, im Browser</translation>
    </message>
    <message>
        <source>Client credentials: Sonde itself</source>
        <translation>Client-Credentials: Sonde selbst</translation>
    </message>
    <message>
        <source>Enterprise-managed: you, through your organization</source>
        <translation>Vom Unternehmen verwaltet: Sie, über Ihre Organisation</translation>
    </message>
    <message>
        <source>Workload identity: this machine</source>
        <translation>Workload-Identität: dieser Rechner</translation>
    </message>
    <message>
        <source>&amp;Grant</source>
        <translation>&amp;Grant</translation>
    </message>
    <message>
        <source>Client &amp;ID</source>
        <translation>Client-&amp;ID</translation>
    </message>
    <message>
        <source>none: Sonde registers itself if the server allows it</source>
        <translation>keine: Sonde registriert sich selbst, falls der Server es zulässt</translation>
    </message>
    <message>
        <source>Client &amp;secret</source>
        <translation>Client-G&amp;eheimnis</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>Iss&amp;uer</source>
        <translation>&amp;Aussteller</translation>
    </message>
    <message>
        <source>URL; credentials are sent to no other server</source>
        <translation>URL; Anmeldedaten gehen an keinen anderen Server</translation>
    </message>
    <message>
        <source>&amp;Redirect URL</source>
        <translation>&amp;Redirect-URL</translation>
    </message>
    <message>
        <source>http://127.0.0.1 with any free port</source>
        <translation>http://127.0.0.1 mit beliebigem freiem Port</translation>
    </message>
    <message>
        <source>Client &amp;metadata URL</source>
        <translation>Client-&amp;Metadaten-URL</translation>
    </message>
    <message>
        <source>Private &amp;key (PEM)</source>
        <translation>Privater &amp;Schlüssel (PEM)</translation>
    </message>
    <message>
        <source>none: the client secret is used</source>
        <translation>keiner: das Client-Geheimnis wird verwendet</translation>
    </message>
    <message>
        <source>Key &amp;algorithm</source>
        <translation>Schlüsselalg&amp;orithmus</translation>
    </message>
    <message>
        <source>Provider&apos;s &amp;token URL</source>
        <translation>&amp;Token-URL des Anbieters</translation>
    </message>
    <message>
        <source>the token endpoint of the identity provider</source>
        <translation>der Token-Endpunkt des Identitätsanbieters</translation>
    </message>
    <message>
        <source>Provider&apos;s &amp;client ID</source>
        <translation>&amp;Client-ID des Anbieters</translation>
    </message>
    <message>
        <source>ID &amp;token</source>
        <translation>ID-T&amp;oken</translation>
    </message>
    <message>
        <source>issued by the identity provider</source>
        <translation>vom Identitätsanbieter ausgestellt</translation>
    </message>
    <message>
        <source>Workload &amp;token</source>
        <translation>&amp;Workload-Token</translation>
    </message>
    <message>
        <source>issued to this machine by its platform</source>
        <translation>diesem Rechner von seiner Plattform ausgestellt</translation>
    </message>
    <message>
        <source>(in the keychain)</source>
        <translation>(im Schlüsselbund)</translation>
    </message>
    <message>
        <source>Used if the server requires a sign-in. Takes effect at the next start. Secrets are kept in the keychain.</source>
        <translation>Wird verwendet, wenn der Server eine Anmeldung verlangt. Gilt ab dem nächsten Start. Geheimnisse werden im Schlüsselbund gespeichert.</translation>
    </message>
    <message>
        <source>in the browser, if required</source>
        <translation>im Browser, falls verlangt</translation>
    </message>
    <message>
        <source>client credentials</source>
        <translation>Client-Credentials</translation>
    </message>
    <message>
        <source>enterprise-managed</source>
        <translation>vom Unternehmen verwaltet</translation>
    </message>
    <message>
        <source>workload identity</source>
        <translation>Workload-Identität</translation>
    </message>
    <message>
        <source>client ID %1</source>
        <translation>Client-ID %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SignInView</name>
    <message>
        <source>%1 (refreshed with the next request)</source>
        <translation>%1 (wird mit der nächsten Anfrage erneuert)</translation>
    </message>
    <message>
        <source>%1 (expired)</source>
        <translation>%1 (abgelaufen)</translation>
    </message>
    <message>
        <source>%1 (in %2 s)</source>
        <translation>%1 (in %2 s)</translation>
    </message>
    <message>
        <source>%1 (in %2 min)</source>
        <translation>%1 (in %2 min)</translation>
    </message>
    <message>
        <source>%1 (in %2 h)</source>
        <translation>%1 (in %2 h)</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>Jetzt erneuern</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>Abmelden</translation>
    </message>
    <message>
        <source>Cancel sign-in</source>
        <translation>Anmeldung abbrechen</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortfahren</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>Deletes the tokens here and in the keychain, and has the authorization server revoke them.</source>
        <translation>Löscht die Token hier und im Schlüsselbund und lässt sie vom Autorisierungsserver widerrufen.</translation>
    </message>
    <message>
        <source>URL that the browser was redirected to</source>
        <translation>URL, zu der der Browser umgeleitet wurde</translation>
    </message>
    <message>
        <source>Requests and responses of the step</source>
        <translation>Anfragen und Antworten des Schritts</translation>
    </message>
    <message>
        <source>Claims of the access token</source>
        <translation>Claims des Access-Tokens</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>wartet auf Sie</translation>
    </message>
    <message>
        <source>another Sonde is signing in</source>
        <translation>eine andere Sonde-Instanz meldet sich an</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>sign-in expired</source>
        <translation>Anmeldung abgelaufen</translation>
    </message>
    <message>
        <source>signed in</source>
        <translation>angemeldet</translation>
    </message>
    <message>
        <source>not signed in</source>
        <translation>nicht angemeldet</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>Erneut anmelden</translation>
    </message>
    <message>
        <source>Scopes granted before are still valid.</source>
        <translation>Früher gewährte Scopes gelten weiterhin.</translation>
    </message>
    <message>
        <source>Kept for this session only: %1 %2</source>
        <translation>Nur für diese Sitzung behalten: %1 %2</translation>
    </message>
    <message>
        <source>The sign-in continues in your browser, at this address. Nothing has been opened yet. Sonde cannot see what you enter there.</source>
        <translation>Die Anmeldung wird in Ihrem Browser unter dieser Adresse fortgesetzt. Noch wurde nichts geöffnet. Sonde kann nicht sehen, was Sie dort eingeben.</translation>
    </message>
    <message>
        <source>Open %1 in browser</source>
        <translation>%1 im Browser öffnen</translation>
    </message>
    <message>
        <source>This address was opened in your browser, where the sign-in continues. Sonde cannot see what you enter there.</source>
        <translation>Diese Adresse wurde in Ihrem Browser geöffnet; dort geht die Anmeldung weiter. Sonde kann nicht sehen, was Sie dort eingeben.</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL and open it yourself.</source>
        <translation>Es konnte kein Browser gestartet werden. Die URL kopieren und selbst öffnen.</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>nicht nötig</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 Anfrage</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 Anfragen</translation>
    </message>
    <message>
        <source>DPoP, bound to a key on this computer</source>
        <translation>DPoP, an einen Schlüssel auf diesem Computer gebunden</translation>
    </message>
    <message>
        <source>Bearer</source>
        <translation>Bearer</translation>
    </message>
    <message>
        <source> · opaque, without readable claims</source>
        <translation> · opak, ohne lesbare Claims</translation>
    </message>
    <message>
        <source>Signed in at</source>
        <translation>Angemeldet bei</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>Scopes</translation>
    </message>
    <message>
        <source>not specified</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>Valid until</source>
        <translation>Gültig bis</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Refresh token</source>
        <translation>Refresh-Token</translation>
    </message>
    <message>
        <source>none; sign in again when the token has expired</source>
        <translation>keines; nach Ablauf des Tokens erneut anmelden</translation>
    </message>
    <message>
        <source>yes, used automatically</source>
        <translation>ja, wird automatisch verwendet</translation>
    </message>
    <message>
        <source>claims</source>
        <translation>Claims</translation>
    </message>
    <message>
        <source>On another computer? Paste the redirected URL</source>
        <translation>Anderer Computer? URL der Weiterleitung einfügen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StatisticsModel</name>
    <message>
        <source>Tool errors: %1, protocol errors: %2, no response: %3</source>
        <translation>Tool-Fehler: %1, Protokollfehler: %2, keine Antwort: %3</translation>
    </message>
    <message>
        <source>p%1 ms</source>
        <translation>p%1 ms</translation>
    </message>
    <message>
        <source>%1 of 100 calls with a response took no longer, in milliseconds, excluding time waiting for the user</source>
        <translation>%1 von 100 Aufrufen mit Antwort dauerten nicht länger, in Millisekunden, ohne Wartezeit auf den Benutzer</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Tool, prompt or URI</source>
        <translation>Tool, Prompt oder URI</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschl.</translation>
    </message>
    <message>
        <source>Failed: ▲ tool error, ✕ protocol error, ⊘ no response</source>
        <translation>Fehlgeschlagen: ▲ Tool-Fehler, ✕ Protokollfehler, ⊘ keine Antwort</translation>
    </message>
    <message>
        <source>First byte</source>
        <translation>Erstes Byte</translation>
    </message>
    <message>
        <source>Median time to first byte, in milliseconds</source>
        <translation>Median der Zeit bis zum ersten Byte, in Millisekunden</translation>
    </message>
    <message>
        <source>Waiting for user</source>
        <translation>Warten auf Benutzer</translation>
    </message>
    <message>
        <source>Total time waiting for the user</source>
        <translation>Gesamte Wartezeit auf den Benutzer</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StatisticsWindow</name>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Call statistics</source>
        <translation>Aufrufstatistik</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <source> so far: %1 of %2 records read</source>
        <translation> bisher: %1 von %2 Einträgen gelesen</translation>
    </message>
    <message>
        <source> · times in milliseconds, excluding time waiting for the user</source>
        <translation> · Zeiten in Millisekunden, ohne Wartezeit auf den Benutzer</translation>
    </message>
    <message>
        <source>No session</source>
        <translation>Keine Sitzung</translation>
    </message>
    <message>
        <source>Connect to a server, or open a recorded session.</source>
        <translation>Mit einem Server verbinden oder eine aufgezeichnete Sitzung öffnen.</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>Sitzung wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>No calls in this session</source>
        <translation>Keine Aufrufe in dieser Sitzung</translation>
    </message>
    <message>
        <source>No requests were recorded.</source>
        <translation>Es wurden keine Anfragen aufgezeichnet.</translation>
    </message>
    <message>
        <source>No calls yet</source>
        <translation>Noch keine Aufrufe</translation>
    </message>
    <message>
        <source>Call a tool; its duration will appear here.</source>
        <translation>Ein Tool aufrufen; seine Dauer erscheint dann hier.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::StepRows</name>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>not done</source>
        <translation>nicht ausgeführt</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>nicht nötig</translation>
    </message>
    <message>
        <source>%1, attempt %2</source>
        <translation>%1, Versuch %2</translation>
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
        <translation>Wird neu verbunden; wartet auf die Bestätigung</translation>
    </message>
    <message>
        <source>Waiting for the acknowledgement</source>
        <translation>Wartet auf die Bestätigung</translation>
    </message>
    <message>
        <source>Active; the last change failed: %1</source>
        <translation>Aktiv; die letzte Änderung ist fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>Abgelehnt: %1</translation>
    </message>
    <message>
        <source>Ended by the server</source>
        <translation>Vom Server beendet</translation>
    </message>
    <message>
        <source>Lost: %1 %2</source>
        <translation>Verloren: %1 %2</translation>
    </message>
    <message>
        <source>Tool list changes</source>
        <translation>Änderungen der Tool-Liste</translation>
    </message>
    <message>
        <source>Prompt list changes</source>
        <translation>Änderungen der Prompt-Liste</translation>
    </message>
    <message>
        <source>Resource list changes</source>
        <translation>Änderungen der Ressourcenliste</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>Task %1</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… und %1 weitere</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>Angefordert</translation>
    </message>
    <message>
        <source>Acknowledged</source>
        <translation>Bestätigt</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Not acknowledged</source>
        <translation>Nicht bestätigt</translation>
    </message>
    <message>
        <source>Subscribe again</source>
        <translation>Erneut abonnieren</translation>
    </message>
    <message>
        <source>Subscriptions</source>
        <translation>Abonnements</translation>
    </message>
</context>
<context>
    <name>sonde::ui::SummaryText</name>
    <message>
        <source>1 tool error</source>
        <translation>1 Tool-Fehler</translation>
    </message>
    <message>
        <source>%1 tool errors</source>
        <translation>%1 Tool-Fehler</translation>
    </message>
    <message>
        <source>1 protocol error</source>
        <translation>1 Protokollfehler</translation>
    </message>
    <message>
        <source>%1 protocol errors</source>
        <translation>%1 Protokollfehler</translation>
    </message>
    <message>
        <source>1 call without a response</source>
        <translation>1 Aufruf ohne Antwort</translation>
    </message>
    <message>
        <source>%1 calls without a response</source>
        <translation>%1 Aufrufe ohne Antwort</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TableEditor</name>
    <message>
        <source>Table of %1</source>
        <translation>Tabelle von %1</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 of 1 row</source>
        <translation>%1 von 1 Zeile</translation>
    </message>
    <message>
        <source>%2 of %1 rows</source>
        <translation>%2 von %1 Zeilen</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>Pasting…</source>
        <translation>Wird eingefügt&#xa0;…</translation>
    </message>
    <message>
        <source>Not pasted, no such column: %1</source>
        <translation>Nicht eingefügt, keine solche Spalte: %1</translation>
    </message>
    <message>
        <source>Not pasted: cells to the right of the last column</source>
        <translation>Nicht eingefügt: Zellen rechts der letzten Spalte</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Omitted</source>
        <translation>Weggelassen</translation>
    </message>
    <message>
        <source>Empty string</source>
        <translation>Leere Zeichenkette</translation>
    </message>
    <message>
        <source>Null</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Standard: %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy with header</source>
        <translation>Mit Kopfzeile kopieren</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Insert row above</source>
        <translation>Zeile darüber einfügen</translation>
    </message>
    <message>
        <source>Remove row</source>
        <translation>Zeile entfernen</translation>
    </message>
    <message>
        <source>Remove %1 rows</source>
        <translation>%1 Zeilen entfernen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TableModel</name>
    <message>
        <source>empty string</source>
        <translation>leere Zeichenkette</translation>
    </message>
    <message>
        <source>Type or paste</source>
        <translation>Tippen oder einfügen</translation>
    </message>
    <message>
        <source>omitted</source>
        <translation>weggelassen</translation>
    </message>
    <message>
        <source>required</source>
        <translation>erforderlich</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskChoice</name>
    <message>
        <source>Run as task</source>
        <translation>Als Task ausführen</translation>
    </message>
    <message>
        <source>Requested time to keep the task, in seconds</source>
        <translation>Gewünschte Aufbewahrungszeit des Tasks in Sekunden</translation>
    </message>
    <message>
        <source>server decides</source>
        <translation>Server entscheidet</translation>
    </message>
    <message>
        <source>The requested ttl: how long the server should keep the task and its result after the start. The server may choose a different time.</source>
        <translation>Die angeforderte ttl: wie lange der Server den Task und sein Ergebnis nach dem Start aufbewahren soll. Der Server kann eine andere Zeit wählen.</translation>
    </message>
    <message>
        <source>Keep for</source>
        <translation>Aufbewahren</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>This tool runs only as a task.</source>
        <translation>Dieses Tool läuft nur als Task.</translation>
    </message>
    <message>
        <source>Runs in the background on the server; the result can be read later, even after a restart of Sonde.</source>
        <translation>Läuft im Hintergrund auf dem Server; das Ergebnis lässt sich später lesen, auch nach einem Neustart von Sonde.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskFacts</name>
    <message>
        <source>Not connected. Polling resumes when the server is connected.</source>
        <translation>Nicht verbunden. Die Abfrage wird fortgesetzt, sobald der Server verbunden ist.</translation>
    </message>
    <message>
        <source>Next poll in %1 s.</source>
        <translation>Nächste Abfrage in %1 s.</translation>
    </message>
    <message>
        <source>Waiting for your response.</source>
        <translation>Warten auf Ihre Antwort.</translation>
    </message>
    <message>
        <source>Polling…</source>
        <translation>Wird abgefragt&#xa0;…</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>Lost: the server no longer knows this task.</source>
        <translation>Verloren: Der Server kennt diesen Task nicht mehr.</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>Task %1</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>updated %1</source>
        <translation>aktualisiert %1</translation>
    </message>
    <message>
        <source>kept until %1</source>
        <translation>aufbewahrt bis %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskListModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TaskListView</name>
    <message>
        <source>Tasks</source>
        <translation>Tasks</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TasksPanel</name>
    <message>
        <source>Tasks</source>
        <translation>Tasks</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>No tasks</source>
        <translation>Keine Tasks</translation>
    </message>
    <message>
        <source>Calls that run as tasks appear here.</source>
        <translation>Als Task laufende Aufrufe erscheinen hier.</translation>
    </message>
    <message>
        <source>Some tasks could not be read: %1</source>
        <translation>Einige Tasks konnten nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>The server does not support tasks.</source>
        <translation>Der Server unterstützt keine Tasks.</translation>
    </message>
    <message>
        <source>Tasks started by Sonde. The server does not list tasks.</source>
        <translation>Von Sonde gestartete Tasks. Der Server listet keine Tasks.</translation>
    </message>
    <message>
        <source>Click a task to see its result.</source>
        <translation>Auf einen Task klicken, um sein Ergebnis zu sehen.</translation>
    </message>
    <message>
        <source>The task was cancelled. %1</source>
        <translation>Der Task wurde abgebrochen. %1</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>Nicht mit dem Server verbunden.</translation>
    </message>
    <message>
        <source>Select a task to see its result.</source>
        <translation>Einen Task auswählen, um sein Ergebnis zu sehen.</translation>
    </message>
    <message>
        <source>No task selected</source>
        <translation>Kein Task ausgewählt</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextBlock</name>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>Text view</source>
        <translation>Textansicht</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Formatted as JSON</source>
        <translation>Als JSON formatiert</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>As a tree</source>
        <translation>Als Baum</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>As a table</source>
        <translation>Als Tabelle</translation>
    </message>
    <message>
        <source>Raw text</source>
        <translation>Rohtext</translation>
    </message>
    <message>
        <source>Exactly as sent by the server</source>
        <translation>Genau wie vom Server gesendet</translation>
    </message>
    <message>
        <source>Render Markdown</source>
        <translation>Markdown rendern</translation>
    </message>
    <message>
        <source>JSON as a tree</source>
        <translation>JSON als Baum</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextEditor</name>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>empty string</source>
        <translation>leere Zeichenkette</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextLabel</name>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TextView</name>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen&#xa0;…</translation>
    </message>
    <message>
        <source>Wrap lines</source>
        <translation>Zeilen umbrechen</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimeEditor</name>
    <message>
        <source>Pick a time</source>
        <translation>Uhrzeit wählen</translation>
    </message>
    <message>
        <source>Pick a date and time</source>
        <translation>Datum und Uhrzeit wählen</translation>
    </message>
    <message>
        <source>Pick a date</source>
        <translation>Datum wählen</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Without an offset in the text, this computer&apos;s is added: %1</source>
        <translation>Ohne Zeitversatz im Text wird der dieses Computers ergänzt: %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimePicker</name>
    <message>
        <source>Pick a date</source>
        <translation>Datum wählen</translation>
    </message>
    <message>
        <source>Pick a time</source>
        <translation>Uhrzeit wählen</translation>
    </message>
    <message>
        <source>Pick a date and time</source>
        <translation>Datum und Uhrzeit wählen</translation>
    </message>
    <message>
        <source>The offset of this computer</source>
        <translation>Der Zeitversatz dieses Computers</translation>
    </message>
    <message>
        <source>The offset in the text</source>
        <translation>Der Zeitversatz im Text</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
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
        <translation>Byte %1: %2</translation>
    </message>
    <message>
        <source> · after %1</source>
        <translation> · nach %1</translation>
    </message>
    <message>
        <source>No response was recorded.</source>
        <translation>Es wurde keine Antwort aufgezeichnet.</translation>
    </message>
    <message>
        <source>response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>error response</source>
        <translation>Fehlerantwort</translation>
    </message>
    <message>
        <source>no matching request</source>
        <translation>keine passende Anfrage</translation>
    </message>
    <message>
        <source>response to #%1</source>
        <translation>Antwort auf #%1</translation>
    </message>
    <message>
        <source>error response to #%1</source>
        <translation>Fehlerantwort auf #%1</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>invalid message</source>
        <translation>ungültige Nachricht</translation>
    </message>
    <message>
        <source>late</source>
        <translation>verspätet</translation>
    </message>
    <message>
        <source>stderr</source>
        <translation>stderr</translation>
    </message>
    <message>
        <source>not JSON-RPC</source>
        <translation>kein JSON-RPC</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>SSE event</source>
        <translation>SSE-Ereignis</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>end of session</source>
        <translation>Sitzungsende</translation>
    </message>
    <message>
        <source>to the server</source>
        <translation>zum Server</translation>
    </message>
    <message>
        <source>from the server</source>
        <translation>vom Server</translation>
    </message>
    <message>
        <source>local</source>
        <translation>lokal</translation>
    </message>
    <message>
        <source>connection opened</source>
        <translation>Verbindung geöffnet</translation>
    </message>
    <message>
        <source>notification</source>
        <translation>Benachrichtigung</translation>
    </message>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>incomplete bytes</source>
        <translation>unvollständige Bytes</translation>
    </message>
    <message>
        <source>stderr line</source>
        <translation>stderr-Zeile</translation>
    </message>
    <message>
        <source>HTTP request</source>
        <translation>HTTP-Anfrage</translation>
    </message>
    <message>
        <source>HTTP response</source>
        <translation>HTTP-Antwort</translation>
    </message>
    <message>
        <source>SSE event without a message</source>
        <translation>SSE-Ereignis ohne Nachricht</translation>
    </message>
    <message>
        <source>user action</source>
        <translation>Benutzeraktion</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>redaction</source>
        <translation>Schwärzung</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>since start</source>
        <translation>seit Start</translation>
    </message>
    <message>
        <source>connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>%1 B on the wire</source>
        <translation>%1 B auf der Leitung</translation>
    </message>
    <message>
        <source>, then CR LF</source>
        <translation>, dann CR LF</translation>
    </message>
    <message>
        <source>, then LF</source>
        <translation>, dann LF</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>received after the request was cancelled or timed out</source>
        <translation>empfangen, nachdem die Anfrage abgebrochen oder das Zeitlimit überschritten wurde</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineCount</name>
    <message>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 calls shown</source>
        <translation>%1 von %2 Aufrufen angezeigt</translation>
    </message>
    <message>
        <source>%1 of %2 records shown</source>
        <translation>%1 von %2 Einträgen angezeigt</translation>
    </message>
    <message>
        <source>Reading %1 %</source>
        <translation>Lesen: %1 %</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 Anfrage</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 Anfragen</translation>
    </message>
    <message>
        <source>%1 of %2 requests shown</source>
        <translation>%1 von %2 Anfragen angezeigt</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineModel</name>
    <message>
        <source>No session</source>
        <translation>Keine Sitzung</translation>
    </message>
    <message>
        <source>Connect to a server, or open a recorded session.</source>
        <translation>Mit einem Server verbinden oder eine aufgezeichnete Sitzung öffnen.</translation>
    </message>
    <message>
        <source>Loading the session…</source>
        <translation>Sitzung wird geladen&#xa0;…</translation>
    </message>
    <message>
        <source>%1 loaded.</source>
        <translation>%1 geladen.</translation>
    </message>
    <message>
        <source>Empty session</source>
        <translation>Leere Sitzung</translation>
    </message>
    <message>
        <source>It contains no records.</source>
        <translation>Sie enthält keine Einträge.</translation>
    </message>
    <message>
        <source>No messages yet</source>
        <translation>Noch keine Nachrichten</translation>
    </message>
    <message>
        <source>Every message sent or received will appear here.</source>
        <translation>Jede gesendete oder empfangene Nachricht erscheint hier.</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche&#xa0;…</translation>
    </message>
    <message>
        <source>Nothing in this call matches</source>
        <translation>Nichts in diesem Aufruf passt</translation>
    </message>
    <message>
        <source>Change the filter, or show all calls.</source>
        <translation>Den Filter ändern oder alle Aufrufe anzeigen.</translation>
    </message>
    <message>
        <source>No matching records</source>
        <translation>Keine passenden Einträge</translation>
    </message>
    <message>
        <source>No matches in this view</source>
        <translation>Keine Treffer in dieser Ansicht</translation>
    </message>
    <message>
        <source>Change the filter, or clear it.</source>
        <translation>Den Filter ändern oder leeren.</translation>
    </message>
    <message>
        <source>Change the filter, or choose All.</source>
        <translation>Den Filter ändern oder „Alle“ wählen.</translation>
    </message>
    <message>
        <source>Other records are listed under All.</source>
        <translation>Andere Einträge stehen unter „Alle“.</translation>
    </message>
    <message>
        <source>No stderr output</source>
        <translation>Keine stderr-Ausgabe</translation>
    </message>
    <message>
        <source>No messages</source>
        <translation>Keine Nachrichten</translation>
    </message>
    <message>
        <source>No calls</source>
        <translation>Keine Aufrufe</translation>
    </message>
    <message>
        <source>Call a tool, read a resource or get a prompt. %1</source>
        <translation>Ein Tool aufrufen, eine Ressource lesen oder einen Prompt abrufen. %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelinePanel</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Filter the timeline</source>
        <translation>Zeitleiste filtern</translation>
    </message>
    <message>
        <source>Ctrl+Space completes fields, values and JSON pointers</source>
        <translation>Strg+Leertaste vervollständigt Felder, Werte und JSON-Pointer</translation>
    </message>
    <message>
        <source>Records to show</source>
        <translation>Anzuzeigende Einträge</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Calls: one row per call, its messages below it</source>
        <translation>Aufrufe: eine Zeile pro Aufruf, darunter seine Nachrichten</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>All messages</source>
        <translation>Alle Nachrichten</translation>
    </message>
    <message>
        <source>stderr</source>
        <translation>stderr</translation>
    </message>
    <message>
        <source>Standard error of the server</source>
        <translation>Standardfehler des Servers</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All records</source>
        <translation>Alle Einträge</translation>
    </message>
    <message>
        <source>Follow new records</source>
        <translation>Neuen Einträgen folgen</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Keep the newest row visible. Scrolling up stops following.</source>
        <translation>Die neueste Zeile sichtbar halten. Hochscrollen beendet das Folgen.</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export to a file (%1)</source>
        <translation>In Datei exportieren (%1)</translation>
    </message>
    <message>
        <source>Timeline · %1</source>
        <translation>Zeitleiste · %1</translation>
    </message>
    <message>
        <source>Filter: words or ms &gt; 500</source>
        <translation>Filter: Wörter oder ms &gt; 500</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineRows</name>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>? not tied to a call</source>
        <translation>? keinem Aufruf zugeordnet</translation>
    </message>
    <message>
        <source>, collapsed</source>
        <translation>, eingeklappt</translation>
    </message>
    <message>
        <source>, expanded</source>
        <translation>, ausgeklappt</translation>
    </message>
    <message>
        <source>From start to end: pale until the first byte, violet while waiting for the user. Idle periods are shortened at the dotted lines.</source>
        <translation>Von Anfang bis Ende: blass bis zum ersten Byte, violett beim Warten auf den Benutzer. Leerlaufzeiten sind an den gepunkteten Linien verkürzt.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Waterfall</source>
        <translation>Wasserfall</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimelineTable</name>
    <message>
        <source>Records</source>
        <translation>Einträge</translation>
    </message>
</context>
<context>
    <name>sonde::ui::TimeoutsDialog</name>
    <message>
        <source>Use these settings</source>
        <translation>Diese Einstellungen verwenden</translation>
    </message>
    <message>
        <source>Timeouts</source>
        <translation>Zeitlimits</translation>
    </message>
    <message>
        <source>Timeouts of %1</source>
        <translation>Zeitlimits von %1</translation>
    </message>
    <message>
        <source>Preferences: %1</source>
        <translation>Einstellungen: %1</translation>
    </message>
    <message>
        <source>seconds; 0 for no limit</source>
        <translation>Sekunden; 0 für kein Limit</translation>
    </message>
    <message>
        <source>seconds, at least %1</source>
        <translation>Sekunden, mindestens %1</translation>
    </message>
    <message>
        <source>%1: enter a number of seconds from %2 to %3.</source>
        <translation>%1: Eine Anzahl von Sekunden von %2 bis %3 eingeben.</translation>
    </message>
    <message>
        <source>Leave a field empty to use the preference. The connection timeout applies to the next start, the others to the next request.</source>
        <translation>Ein leeres Feld steht für die allgemeine Einstellung. Das Verbindungszeitlimit gilt ab dem nächsten Start, die anderen ab der nächsten Anfrage.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UnionEditor</name>
    <message>
        <source>Type of %1</source>
        <translation>Typ von %1</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UnsentBanner</name>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Not sent: the server is not ready.</source>
        <translation>Nicht gesendet: Der Server ist nicht bereit.</translation>
    </message>
    <message>
        <source>Not sent: the server is not running.</source>
        <translation>Nicht gesendet: Der Server läuft nicht.</translation>
    </message>
    <message>
        <source>Not sent: there is no connection to the server.</source>
        <translation>Nicht gesendet: Es besteht keine Verbindung zum Server.</translation>
    </message>
    <message>
        <source>The server is not running.</source>
        <translation>Der Server läuft nicht.</translation>
    </message>
    <message>
        <source>There is no connection to the server.</source>
        <translation>Es besteht keine Verbindung zum Server.</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UrlBody</name>
    <message>
        <source>Nothing has been opened or fetched yet. The page opens in your browser; Sonde cannot see what you enter there.</source>
        <translation>Noch wurde nichts geöffnet oder abgerufen. Die Seite wird in Ihrem Browser geöffnet; Sonde kann nicht sehen, was Sie dort eingeben.</translation>
    </message>
    <message>
        <source>The server is told only that you accepted.</source>
        <translation>Dem Server wird nur mitgeteilt, dass Sie angenommen haben.</translation>
    </message>
    <message>
        <source>The call ended with an error that requires this page; Sonde sends nothing to the server until you try the call again.</source>
        <translation>Der Aufruf endete mit einem Fehler, der diese Seite verlangt; Sonde sendet nichts an den Server, bis Sie den Aufruf erneut versuchen.</translation>
    </message>
    <message>
        <source>elicitation · URL</source>
        <translation>Elicitation · URL</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Accept and open</source>
        <translation>Annehmen und öffnen</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the URL, open it yourself, then accept.</source>
        <translation>Es konnte kein Browser gestartet werden. Die URL kopieren, selbst öffnen und dann annehmen.</translation>
    </message>
    <message>
        <source>The page was opened in your browser; Sonde cannot see what you enter there.</source>
        <translation>Die Seite wurde in Ihrem Browser geöffnet; Sonde kann nicht sehen, was Sie dort eingeben.</translation>
    </message>
</context>
<context>
    <name>sonde::ui::UseInDialog</name>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>As a &amp;reference to the saved call</source>
        <translation>Als &amp;Verweis auf den gespeicherten Aufruf</translation>
    </message>
    <message>
        <source>Use in</source>
        <translation>Verwenden in</translation>
    </message>
    <message>
        <source>&amp;Tool</source>
        <translation>&amp;Tool</translation>
    </message>
    <message>
        <source>Filter by name or type</source>
        <translation>Nach Name oder Typ filtern</translation>
    </message>
    <message>
        <source>&amp;Field</source>
        <translation>&amp;Feld</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>This tool takes no arguments.</source>
        <translation>Dieses Tool nimmt keine Argumente.</translation>
    </message>
    <message>
        <source>No field matches.</source>
        <translation>Kein passendes Feld.</translation>
    </message>
    <message>
        <source>%1
replaces %2</source>
        <translation>%1
ersetzt %2</translation>
    </message>
</context>
<context>
    <name>sonde::ui::VersionDifference</name>
    <message>
        <source>Binary data; SHA-256 of its Base64 text: %1</source>
        <translation>Binärdaten; SHA-256 des Base64-Textes: %1</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>Verglichen mit</translation>
    </message>
    <message>
        <source>Difference between two versions</source>
        <translation>Unterschied zwischen zwei Versionen</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen&#xa0;…</translation>
    </message>
    <message>
        <source>No differences.</source>
        <translation>Keine Unterschiede.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>1 line added</source>
        <translation>1 Zeile hinzugefügt</translation>
    </message>
    <message>
        <source>%1 lines added</source>
        <translation>%1 Zeilen hinzugefügt</translation>
    </message>
    <message>
        <source>1 removed</source>
        <translation>1 entfernt</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>%1 entfernt</translation>
    </message>
</context>
<context>
    <name>sonde::ui::WalkView</name>
    <message>
        <source>Open add</source>
        <translation>add öffnen</translation>
    </message>
    <message>
        <source>Open fail</source>
        <translation>fail öffnen</translation>
    </message>
    <message>
        <source>Open ask-form</source>
        <translation>ask-form öffnen</translation>
    </message>
    <message>
        <source>Go to timeline</source>
        <translation>Zur Zeitleiste</translation>
    </message>
    <message>
        <source>Go to filter</source>
        <translation>Zum Filter</translation>
    </message>
    <message>
        <source>Open greeting</source>
        <translation>greeting öffnen</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>Erneut abspielen&#xa0;…</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>Von vorn beginnen</translation>
    </message>
    <message>
        <source>all %1 steps done</source>
        <translation>alle %1 Schritte erledigt</translation>
    </message>
    <message>
        <source>%1 of %2 steps done</source>
        <translation>%1 von %2 Schritten erledigt</translation>
    </message>
    <message>
        <source>Guided tour</source>
        <translation>Geführte Tour</translation>
    </message>
</context>
<context>
    <name>sonde::ui::WaveformView</name>
    <message>
        <source>Waveform</source>
        <translation>Wellenform</translation>
    </message>
</context>
<context>
    <name>sonde::ui::WelcomePanel</name>
    <message>
        <source>today %1</source>
        <translation>heute %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>gestern %1</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Explore an MCP server</source>
        <translation>Einen MCP-Server erkunden</translation>
    </message>
    <message>
        <source>Paste the command you would run in a terminal, or the URL of a remote server.</source>
        <translation>Den Befehl einfügen, den Sie im Terminal ausführen würden, oder die URL eines entfernten Servers.</translation>
    </message>
    <message>
        <source>Command or URL</source>
        <translation>Befehl oder URL</translation>
    </message>
    <message>
        <source>Your servers</source>
        <translation>Ihre Server</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>Auf diesem Computer gefunden</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren&#xa0;…</translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation>Letzte Sitzungen</translation>
    </message>
    <message>
        <source>All sessions…</source>
        <translation>Alle Sitzungen&#xa0;…</translation>
    </message>
    <message>
        <source>Three things to try</source>
        <translation>Drei Dinge zum Ausprobieren</translation>
    </message>
    <message>
        <source>With the built-in demo server, which changes nothing.</source>
        <translation>Mit dem eingebauten Demo-Server, der nichts verändert.</translation>
    </message>
    <message>
        <source>Eight steps, from the first call to a replay</source>
        <translation>Acht Schritte, vom ersten Aufruf bis zur Wiedergabe</translation>
    </message>
    <message>
        <source>Call a tool</source>
        <translation>Ein Tool aufrufen</translation>
    </message>
    <message>
        <source>Opens the first tool of the demo server</source>
        <translation>Öffnet das erste Tool des Demo-Servers</translation>
    </message>
    <message>
        <source>Respond to a server request</source>
        <translation>Auf eine Server-Anfrage antworten</translation>
    </message>
    <message>
        <source>Opens a tool that asks you for something in the middle of its call</source>
        <translation>Öffnet ein Tool, das Sie mitten im Aufruf um etwas bittet</translation>
    </message>
    <message>
        <source>replayed %1 · %2</source>
        <translation>Wiedergabe %1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>All traffic between Sonde and a server is recorded here, from the first byte.</source>
        <translation>Der gesamte Verkehr zwischen Sonde und einem Server wird hier aufgezeichnet, ab dem ersten Byte.</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 Server</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 Server</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>No servers from other MCP clients found. Import them from a file or the clipboard.</source>
        <translation>Keine Server von anderen MCP-Clients gefunden. Sie lassen sich aus einer Datei oder der Zwischenablage importieren.</translation>
    </message>
    <message>
        <source>Take the guided tour</source>
        <translation>Geführte Tour beginnen</translation>
    </message>
</context>
</TS>
