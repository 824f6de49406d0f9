// SPDX-License-Identifier: Apache-2.0
#include "core/redact/tokenforms.h"

#include <array>

namespace sonde {

namespace {

struct FormTable {
    using enum TokenBody;

    // As their issuers describe them. The minimum lengths are below the documented ones: what was cut is secret too.
    static constexpr TokenForm Forms[] = {
        // Source code hosts
        {"ghp_", Alphanumeric, 20},
        {"gho_", Alphanumeric, 20},
        {"ghu_", Alphanumeric, 20},
        {"ghs_", Alphanumeric, 20},
        {"ghr_", Alphanumeric, 20},
        {"github_pat_", Underscore, 20},
        {"glpat-", Dotted, 20},
        {"gldt-", Word, 20},
        {"glft-", Word, 20},
        {"glrt-", Dotted, 20},
        {"glptt-", Word, 20},
        {"glcbt-", Word, 20},
        {"glimt-", Word, 20},
        {"gloas-", Word, 20},
        {"glsoat-", Word, 20},
        {"glffct-", Word, 20},
        {"glagent-", Word, 20},
        {"sgp_", Underscore, 20},
        // Clouds
        {"AKIA", Alphanumeric, 16, 16},
        {"ASIA", Alphanumeric, 16, 16},
        {"ABIA", Alphanumeric, 16, 16},
        {"LTAI", Alphanumeric, 20, 20},
        {"AIza", Word, 35, 35},
        {"ya29.", Dotted, 20},
        {"GOCSPX-", Word, 20},
        {"AccountKey=", Base64, 40, 0, TokenForm::IsPublic},
        {"dop_v1_", Hex, 32},
        {"doo_v1_", Hex, 32},
        {"dor_v1_", Hex, 32},
        {"HRKU-", Word, 36},
        {"fo1_", Word, 40},
        {"fm1a_", Base64, 40},
        {"fm1r_", Base64, 40},
        {"fm2_", Base64, 40},
        {"pul-", Hex, 40, 40},
        {"v1.0-", Dash, 100},
        {"hvs.", Word, 20},
        {"hvb.", Word, 20},
        {"hvr.", Word, 20},
        {"dp.pt.", Alphanumeric, 20},
        {"dp.st.", Dotted, 20},
        {"dp.ct.", Alphanumeric, 20},
        {"dp.sa.", Alphanumeric, 20},
        {"dp.scim.", Alphanumeric, 20},
        {"dp.audit.", Alphanumeric, 20},
        {"dt0c01.", Dotted, 40},
        {"nvapi-", Word, 40},
        // Models and what agents use
        {"sk-", Word, 20},
        {"hf_", Alphanumeric, 30},
        {"api_org_", Alphanumeric, 30},
        {"gsk_", Alphanumeric, 30},
        {"xai-", Alphanumeric, 40},
        {"pplx-", Alphanumeric, 32},
        {"r8_", Alphanumeric, 30},
        {"tvly-", Word, 20},
        {"fc-", Hex, 32, 32},
        {"e2b_", Hex, 32},
        {"pcsk_", Underscore, 40},
        {"lsv2_pt_", Underscore, 32},
        {"lsv2_sk_", Underscore, 32},
        {"apify_api_", Alphanumeric, 30},
        // Messages and mail
        {"xoxa-", Dash, 10},
        {"xoxb-", Dash, 10},
        {"xoxe-", Dash, 10},
        {"xoxo-", Dash, 10},
        {"xoxp-", Dash, 10},
        {"xoxr-", Dash, 10},
        {"xoxs-", Dash, 10},
        {"xapp-", Dash, 10},
        {"hooks.slack.com/services/", Path, 20, 0, TokenForm::IsPublic},
        {"hooks.slack.com/workflows/", Path, 20, 0, TokenForm::IsPublic},
        {"hooks.slack.com/triggers/", Path, 20, 0, TokenForm::IsPublic},
        {"discord.com/api/webhooks/", Path, 20, 0, TokenForm::IsPublic},
        {"discord.com/api/v9/webhooks/", Path, 20, 0, TokenForm::IsPublic},
        {"discord.com/api/v10/webhooks/", Path, 20, 0, TokenForm::IsPublic},
        {"discordapp.com/api/webhooks/", Path, 20, 0, TokenForm::IsPublic},
        {"webhook.office.com/webhookb2/", Path, 20, 0, TokenForm::IsPublic},
        {"hooks.zapier.com/hooks/catch/", Path, 8, 0, TokenForm::IsPublic},
        {"SG.", Dotted, 40},
        {"SK", Hex, 32, 32},
        {"key-", Hex, 32, 32},
        {"xkeysib-", Dash, 64},
        {"xsmtpsib-", Dash, 64},
        // Payments and shops
        {"sk_live_", Alphanumeric, 16},
        {"sk_test_", Alphanumeric, 16},
        {"sk_prod_", Alphanumeric, 16},
        {"rk_live_", Alphanumeric, 16},
        {"rk_test_", Alphanumeric, 16},
        {"rk_prod_", Alphanumeric, 16},
        {"whsec_", Base64, 24},
        {"shpat_", Hex, 32},
        {"shpca_", Hex, 32},
        {"shppa_", Hex, 32},
        {"shpss_", Hex, 32},
        {"sq0atp-", Word, 20},
        {"sq0csp-", Word, 20},
        {"duffel_live_", Word, 40},
        {"duffel_test_", Word, 40},
        {"shippo_live_", Hex, 32},
        {"shippo_test_", Hex, 32},
        {"FLWSECK-", Dash, 12},
        {"FLWSECK_TEST-", Dash, 12},
        // Data and tools
        {"sbp_", Hex, 32},
        {"sb_secret_", Word, 20},
        {"lin_api_", Alphanumeric, 32},
        {"lin_oauth_", Alphanumeric, 32},
        {"ntn_", Alphanumeric, 32},
        {"secret_", Alphanumeric, 43, 43},
        {"figd_", Word, 30},
        {"figu_", Word, 30},
        {"PMAK-", Dash, 50},
        {"pscale_tkn_", Dotted, 32},
        {"pscale_oauth_", Dotted, 32},
        {"pscale_pw_", Dotted, 32},
        {"glc_", Base64, 32},
        {"glsa_", Underscore, 32},
        {"NRAK-", Alphanumeric, 27},
        {"sntrys_", Base64, 40},
        {"sntryu_", Hex, 64},
        {"squ_", Hex, 40, 40},
        {"sqp_", Hex, 40, 40},
        {"sqa_", Hex, 40, 40},
        {"tfp_", Dotted, 40},
        {"rdme_", Alphanumeric, 70},
        {"pnu_", Alphanumeric, 36, 36},
        {"CFPAT-", Word, 40},
        {"API-", Alphanumeric, 26, 26},
        // Packages and keys
        {"npm_", Alphanumeric, 36, 36},
        {"pypi-", Word, 40},
        {"rubygems_", Hex, 40},
        {"dckr_pat_", Word, 20},
        {"dckr_oat_", Word, 20},
        {"CLOJARS_", Alphanumeric, 40},
        {"AGE-SECRET-KEY-1", Alphanumeric, 40},
        {"ops_eyJ", Base64, 100},
    };
};
constexpr auto &Forms = FormTable::Forms;

constexpr size_t FormCount = std::size(Forms);
constexpr size_t BucketCount = 256;
static_assert(FormCount < 255);

constexpr size_t bucketOf(char telling, char before)
{
    return (uchar(telling) * 37u + uchar(before)) % BucketCount;
}

constexpr qsizetype tellingIn(QByteArrayView prefix)
{
    for (qsizetype i = 1; i < prefix.size(); ++i) {
        const char c = prefix[i];
        if (c == '_' || c == '-' || c == '.' || c == '=' || c == 'I')
            return i;
    }
    return 1;  // SK, whose two letters are looked for as a pair
}

// For each bucket the number of its first form, and for each form that of the next one; 0 is none.
struct FormIndex {
    std::array<quint8, BucketCount> first{};
    std::array<quint8, FormCount> next{};
    std::array<quint8, FormCount> telling{};
};

constexpr FormIndex Index = [] {
    FormIndex index;
    for (size_t i = FormCount; i-- > 0;) {
        const qsizetype telling = tellingIn(Forms[i].prefix);
        const size_t bucket = bucketOf(Forms[i].prefix[telling], Forms[i].prefix[telling - 1]);
        index.telling[i] = quint8(telling);
        index.next[i] = index.first[bucket];
        index.first[bucket] = quint8(i + 1);
    }
    return index;
}();

}  // namespace

qsizetype tellingPlace(const TokenForm &form)
{
    return Index.telling[size_t(&form - Forms)];
}

const TokenForm *tokenFormAt(QByteArrayView text, qsizetype at)
{
    if (at < 1)
        return nullptr;
    for (size_t i = Index.first[bucketOf(text[at], text[at - 1])]; i > 0; i = Index.next[i - 1]) {
        const TokenForm &form = Forms[i - 1];
        const qsizetype telling = Index.telling[i - 1];
        if (at >= telling && text.sliced(at - telling).startsWith(form.prefix))
            return &form;
    }
    return nullptr;
}

QByteArrayView otherCharacters(TokenBody body)
{
    switch (body) {
        case TokenBody::Alphanumeric:
        case TokenBody::Hex:
            return "";
        case TokenBody::Base64:
            return "+/=";
        case TokenBody::Underscore:
            return "_";
        case TokenBody::Dash:
            return "-";
        case TokenBody::Word:
            return "_-";
        case TokenBody::Dotted:
            return "_-.=";
        case TokenBody::Path:
            return "/_-@";
    }
    return "";
}

}  // namespace sonde
