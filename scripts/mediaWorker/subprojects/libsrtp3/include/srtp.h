// The calls of libsrtp 3 that the worker uses, on top of the libsrtp 2 that distributions have. Version 3 makes a session
// from a policy object and writes its output beside the input; version 2 takes a structure and works in place. C++ keeps
// functions of one name apart by their parameters, so both can be called as they are.
#ifndef NOLO_SRTP_H
#define NOLO_SRTP_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

// Version 3 has another type under this name.
#define srtp_policy_t srtp2_policy_t
extern "C"
{
#include <srtp2/srtp.h>
}
#undef srtp_policy_t

// Errors that version 2 does not have and hence never returns, but for the first, which is returned below.
constexpr auto srtp_err_status_buffer_small = static_cast<srtp_err_status_t>(28);
constexpr auto srtp_err_status_cryptex_err  = static_cast<srtp_err_status_t>(29);

struct SrtpPolicy
{
	srtp2_policy_t settings{};
	// Key and salt, as version 2 takes them: one after the other.
	uint8_t key[SRTP_MAX_KEY_LEN]{};
};

using srtp_policy_t = SrtpPolicy*;

inline srtp_err_status_t srtp_policy_create(srtp_policy_t* policy)
{
	*policy = new (std::nothrow) SrtpPolicy();

	return *policy ? srtp_err_status_ok : srtp_err_status_alloc_fail;
}

inline void srtp_policy_destroy(srtp_policy_t policy)
{
	delete policy;
}

inline srtp_err_status_t srtp_policy_set_ssrc(srtp_policy_t policy, srtp_ssrc_t ssrc)
{
	policy->settings.ssrc = ssrc;

	return srtp_err_status_ok;
}

inline srtp_err_status_t srtp_policy_set_profile(srtp_policy_t policy, srtp_profile_t profile)
{
	const auto status = srtp_crypto_policy_set_from_profile_for_rtp(&policy->settings.rtp, profile);

	if (status != srtp_err_status_ok)
	{
		return status;
	}

	return srtp_crypto_policy_set_from_profile_for_rtcp(&policy->settings.rtcp, profile);
}

// The worker uses no master key identifiers.
inline srtp_err_status_t srtp_policy_add_key(
  srtp_policy_t policy,
  const uint8_t* key,
  size_t keyLen,
  const uint8_t* salt,
  size_t saltLen,
  const uint8_t* /*mki*/,
  size_t mkiLen)
{
	if (keyLen + saltLen > sizeof(policy->key) || mkiLen != 0)
	{
		return srtp_err_status_bad_param;
	}

	std::memcpy(policy->key, key, keyLen);
	std::memcpy(policy->key + keyLen, salt, saltLen);
	policy->settings.key = policy->key;

	return srtp_err_status_ok;
}

inline srtp_err_status_t srtp_policy_set_allow_repeat_tx(srtp_policy_t policy, bool allow)
{
	policy->settings.allow_repeat_tx = allow ? 1 : 0;

	return srtp_err_status_ok;
}

inline srtp_err_status_t srtp_policy_set_window_size(srtp_policy_t policy, size_t size)
{
	policy->settings.window_size = size;

	return srtp_err_status_ok;
}

inline srtp_err_status_t srtp_create(srtp_t* session, srtp_policy_t policy)
{
	return srtp_create(session, &policy->settings);
}

// Copies the packet to where the result is wanted and lets version 2 work there.
template<typename Operation>
inline srtp_err_status_t srtp_work_on_copy(
  const uint8_t* in, size_t inLen, uint8_t* out, size_t* outLen, size_t growth, Operation operation)
{
	if (inLen + growth > *outLen)
	{
		return srtp_err_status_buffer_small;
	}

	if (in != out)
	{
		std::memmove(out, in, inLen);
	}

	auto len          = static_cast<int>(inLen);
	const auto status = operation(out, &len);

	if (status == srtp_err_status_ok)
	{
		*outLen = static_cast<size_t>(len);
	}

	return status;
}

inline srtp_err_status_t srtp_protect(
  srtp_t session, const uint8_t* in, size_t inLen, uint8_t* out, size_t* outLen, size_t /*mkiIndex*/)
{
	return srtp_work_on_copy(in, inLen, out, outLen, SRTP_MAX_TRAILER_LEN, [session](void* data, int* len) {
		return srtp_protect(session, data, len);
	});
}

// A report also grows by the four bytes that count it.
inline srtp_err_status_t srtp_protect_rtcp(
  srtp_t session, const uint8_t* in, size_t inLen, uint8_t* out, size_t* outLen, size_t /*mkiIndex*/)
{
	return srtp_work_on_copy(in, inLen, out, outLen, SRTP_MAX_TRAILER_LEN + 4, [session](void* data, int* len) {
		return srtp_protect_rtcp(session, data, len);
	});
}

inline srtp_err_status_t srtp_unprotect(
  srtp_t session, const uint8_t* in, size_t inLen, uint8_t* out, size_t* outLen)
{
	return srtp_work_on_copy(in, inLen, out, outLen, 0, [session](void* data, int* len) {
		return srtp_unprotect(session, data, len);
	});
}

inline srtp_err_status_t srtp_unprotect_rtcp(
  srtp_t session, const uint8_t* in, size_t inLen, uint8_t* out, size_t* outLen)
{
	return srtp_work_on_copy(in, inLen, out, outLen, 0, [session](void* data, int* len) {
		return srtp_unprotect_rtcp(session, data, len);
	});
}

inline srtp_err_status_t srtp_stream_remove(srtp_t session, uint32_t ssrc)
{
	return srtp_remove_stream(session, ssrc);
}

#endif
