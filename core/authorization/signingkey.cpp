// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/signingkey.h"

#include "core/authorization/pkce.h"
#include "core/authorization/texts.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

namespace sonde {

namespace {

constexpr int CoordinateBytes = 32;  // of P-256
constexpr auto Curve = "prime256v1";

template <auto Free>
struct Freed {
    template <typename T>
    void operator()(T *object) const
    {
        Free(object);
    }
};
using MdContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free>>;

QByteArray fixedBytes(const BIGNUM *number)
{
    QByteArray bytes(CoordinateBytes, '\0');
    BN_bn2binpad(number, reinterpret_cast<unsigned char *>(bytes.data()), CoordinateBytes);
    return bytes;
}

QByteArray coordinate(const EVP_PKEY *key, const char *name)
{
    BIGNUM *value = nullptr;
    if (EVP_PKEY_get_bn_param(key, name, &value) != 1)
        return {};
    return fixedBytes(Number(value).get());
}

// What OpenSSL makes is DER; a token holds both numbers side by side.
QByteArray withoutDer(const QByteArray &der)
{
    const auto *at = reinterpret_cast<const unsigned char *>(der.constData());
    const Signature signature(d2i_ECDSA_SIG(nullptr, &at, long(der.size())));
    return signature ? fixedBytes(ECDSA_SIG_get0_r(signature.get())) + fixedBytes(ECDSA_SIG_get0_s(signature.get()))
                     : QByteArray();
}

// What the text is, where it is no private key that can be read.
Error unreadable(const QByteArray &pem)
{
    const Memory memory(BIO_new_mem_buf(pem.constData(), int(pem.size())));
    char *name = nullptr;
    char *header = nullptr;
    unsigned char *data = nullptr;
    long length = 0;
    if (PEM_read_bio(memory.get(), &name, &header, &data, &length) != 1)
        return Error::local(
            AuthorizationText::tr("The private key is not PEM."),
            AuthorizationText::tr("It must begin with -----BEGIN PRIVATE KEY----- and end with -----END "
                                  "PRIVATE KEY-----, without a passphrase."));
    const QByteArray kind(name);
    const bool isEncrypted = kind.contains("ENCRYPTED") || QByteArray(header).contains("ENCRYPTED");
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
    const QString hint = AuthorizationText::tr("Enter the private key that belongs to it.");
    if (kind.endsWith("PUBLIC KEY"))
        return Error::local(AuthorizationText::tr("This is a public key."), hint);
    if (kind.contains("CERTIFICATE"))
        return Error::local(AuthorizationText::tr("This is a certificate."), hint);
    if (isEncrypted)
        return Error::local(AuthorizationText::tr("The private key has a passphrase."),
                            AuthorizationText::tr("Enter it without one, as “openssl pkey -in KEY” prints it."));
    return Error::local(AuthorizationText::tr("The private key cannot be read."),
                        AuthorizationText::tr("It must be PEM, without a passphrase."));
}

bool isOnCurve(const EVP_PKEY *key)
{
    char name[64] = {};
    size_t length = 0;
    return EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, name, sizeof name, &length) == 1 &&
           QByteArrayView(name, qsizetype(length)) == QByteArrayView(Curve);
}

}  // namespace

SigningKey::SigningKey(evp_pkey_st *key, const QByteArray &algorithm)
    : m_key(key, [](evp_pkey_st *owned) { EVP_PKEY_free(owned); }), m_algorithm(algorithm)
{}

Result<SigningKey> SigningKey::make()
{
    EVP_PKEY *key = EVP_EC_gen(Curve);
    if (!key)
        return Error::local(AuthorizationText::tr("No key could be generated."));
    return SigningKey(key, "ES256");
}

Result<SigningKey> SigningKey::fromPem(const QByteArray &pem, const QByteArray &algorithm)
{
    const Memory memory(BIO_new_mem_buf(pem.constData(), int(pem.size())));
    // A key with a passphrase is not asked for it.
    EVP_PKEY *read = PEM_read_bio_PrivateKey(
        memory.get(), nullptr, [](char *, int, int, void *) { return 0; }, nullptr);
    if (!read)
        return unreadable(pem);
    SigningKey key(read, algorithm);
    const bool fits =
        algorithm == "RS256" ? EVP_PKEY_get_base_id(read) == EVP_PKEY_RSA : algorithm == "ES256" && isOnCurve(read);
    if (!fits)
        return Error::local(
            AuthorizationText::tr("The private key cannot be used with %1.").arg(QString::fromUtf8(algorithm)),
            AuthorizationText::tr("ES256 needs an EC key on P-256, RS256 an RSA key."));
    return key;
}

QByteArray SigningKey::toPem() const
{
    const Memory memory(BIO_new(BIO_s_mem()));
    if (PEM_write_bio_PKCS8PrivateKey(memory.get(), m_key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
        return {};
    const char *text = nullptr;
    const long length = BIO_get_mem_data(memory.get(), &text);
    return {text, qsizetype(length)};
}

QByteArray SigningKey::publicJwk() const
{
    return "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"" +
           coordinate(m_key.get(), OSSL_PKEY_PARAM_EC_PUB_X).toBase64(Base64Url) + "\",\"y\":\"" +
           coordinate(m_key.get(), OSSL_PKEY_PARAM_EC_PUB_Y).toBase64(Base64Url) + "\"}";
}

Result<QByteArray> SigningKey::sign(const QByteArray &header, const QByteArray &payload) const
{
    QByteArray token = QByteArray("{" + header + "\"alg\":\"" + m_algorithm + "\"}").toBase64(Base64Url) + '.' +
                       payload.toBase64(Base64Url);
    const MdContext context(EVP_MD_CTX_new());
    const auto *text = reinterpret_cast<const unsigned char *>(token.constData());
    size_t length = 0;
    QByteArray signature;
    bool isSigned = EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, m_key.get()) == 1 &&
                    EVP_DigestSign(context.get(), nullptr, &length, text, size_t(token.size())) == 1;
    if (isSigned) {
        signature.resize(qsizetype(length));
        isSigned = EVP_DigestSign(context.get(), reinterpret_cast<unsigned char *>(signature.data()), &length, text,
                                  size_t(token.size())) == 1;
        signature.resize(qsizetype(length));
    }
    if (isSigned && m_algorithm == "ES256")
        signature = withoutDer(signature);
    if (!isSigned || signature.isEmpty())
        return Error::local(AuthorizationText::tr("The token could not be signed."));
    return token + '.' + signature.toBase64(Base64Url);
}

}  // namespace sonde
