import type { SignInIdentity, Self } from '@nolo/api';
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { postJson } from '../../api/verification.ts';

/* Avoids `call`, because the sign-in page has no room for the contract's schemas. */

interface Options<T> {
  options: T;
}

/** Asks the browser for a passkey: with `prove`, for one of the signed-in account, otherwise for any. */
async function requestAssertion(prove: boolean, useBrowserAutofill = false): Promise<AuthenticationResponseJSON> {
  const body = prove ? { prove } : {};
  const { options } = await postJson<Options<PublicKeyCredentialRequestOptionsJSON>>('/api/passkeys/begin', body);
  return startAuthentication({ optionsJSON: options, useBrowserAutofill });
}

async function finishPasskey(response: AuthenticationResponseJSON, prove: boolean): Promise<Self> {
  const { user } = await postJson<{ user: Self }>('/api/passkeys/verify', { response, ...(prove && { prove }) });
  return user;
}

/** Signs in with a passkey, or proves the user's identity with one. */
export async function authenticateByPasskey(prove: boolean): Promise<Self> {
  return finishPasskey(await requestAssertion(prove), prove);
}

/** Creates a passkey on this device, or on one that the browser finds, and adds it to the ways to sign in. */
export async function addPasskey(name: string): Promise<SignInIdentity> {
  const { options } = await postJson<Options<PublicKeyCredentialCreationOptionsJSON>>(
    '/api/account/passkeys/begin',
    {},
  );
  // Authenticators may have a PRF, which can wrap recovery words, only for passkeys that were created with it.
  const extensions = { ...options.extensions, prf: {} };
  const response = await startRegistration({ optionsJSON: { ...options, extensions } });
  return postJson<SignInIdentity>('/api/account/passkeys', { name, response });
}

/** Interval for new challenges, which are valid for five minutes, while a form stays open. */
const renewMs = 240_000;

/**
 * Offers passkeys in the browser's autofill while the form is open. Returns a function that stops it. The library
 * handles one request at a time: a new one, from here or from a button, ends the previous one.
 */
export function offerPasskeyAutofill(onUsed: (user: Self) => void, onError: (error: unknown) => void): () => void {
  let stopped = false;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  const offer = async () => {
    clearTimeout(renewal);
    renewal = setTimeout(() => void offer(), renewMs);
    let response: AuthenticationResponseJSON;
    try {
      response = await requestAssertion(false, true);
    } catch {
      // Replaced by another request, or the server has no challenge now: the form works in any case.
      return;
    }
    if (stopped) return;
    clearTimeout(renewal);
    try {
      onUsed(await finishPasskey(response, false));
    } catch (error) {
      onError(error);
      void offer();
    }
  };
  void browserSupportsWebAuthnAutofill().then((supported) => {
    if (supported && !stopped) void offer();
  });
  return () => {
    stopped = true;
    clearTimeout(renewal);
  };
}

/** Returns the browser's refusal as a key of `passkeys.errors`; undefined for the server's errors. */
export function toPasskeyErrorKey(error: unknown): 'cancelled' | 'known' | 'unsupported' | 'failed' | undefined {
  if (error instanceof WebAuthnError) {
    if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known';
    if (error.code.startsWith('ERROR_AUTHENTICATOR_MISSING')) return 'unsupported';
    if (error.code.startsWith('ERROR_AUTHENTICATOR_NO_SUPPORTED')) return 'unsupported';
  }
  // Browsers do not distinguish a user who declines from one without a passkey (WebAuthn, section 14.5.2).
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return 'cancelled';
  return error instanceof WebAuthnError || error instanceof DOMException ? 'failed' : undefined;
}
