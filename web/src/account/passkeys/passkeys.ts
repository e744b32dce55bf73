import type { Identity, Self } from '@nolo/api';
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
import { post } from '../../api/verification.ts';

/* By hand and not through `call`, for the sign-in page, which has no room for the contract's schemas. */

interface Options<T> {
  options: T;
}

/** Asks the browser for a passkey; `prove` for one of the account that is signed in, else for any. */
async function ask(prove: boolean, useBrowserAutofill = false): Promise<AuthenticationResponseJSON> {
  const body = prove ? { prove } : {};
  const { options } = await post<Options<PublicKeyCredentialRequestOptionsJSON>>('/api/passkeys/begin', body);
  return startAuthentication({ optionsJSON: options, useBrowserAutofill });
}

async function bring(response: AuthenticationResponseJSON, prove: boolean): Promise<Self> {
  const { user } = await post<{ user: Self }>('/api/passkeys/verify', { response, ...(prove && { prove }) });
  return user;
}

/** Signs in with a passkey, or proves with one that it is oneself. */
export async function askForPasskey(prove: boolean): Promise<Self> {
  return bring(await ask(prove), prove);
}

/** Makes a passkey on this device, or on one that the browser finds, and adds it to the ways to sign in. */
export async function addPasskey(name: string): Promise<Identity> {
  const { options } = await post<Options<PublicKeyCredentialCreationOptionsJSON>>('/api/account/passkeys/begin', {});
  const response = await startRegistration({ optionsJSON: options });
  return post<Identity>('/api/account/passkeys', { name, response });
}

/** Challenges are good for five minutes; a form that stands open longer asks for another before. */
const renewMs = 240_000;

/**
 * Offers passkeys among what the browser fills into the form, as long as it stands open. Answers with how to stop.
 * The library keeps one question at a time: a new one, from here or from a button, ends the one before.
 */
export function offerPasskeys(onUsed: (user: Self) => void, onError: (error: unknown) => void): () => void {
  let stopped = false;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  const offer = async () => {
    clearTimeout(renewal);
    renewal = setTimeout(() => void offer(), renewMs);
    let response: AuthenticationResponseJSON;
    try {
      response = await ask(false, true);
    } catch {
      // Given up for another one, or the server has none to give now: the form is there all the same.
      return;
    }
    if (stopped) return;
    clearTimeout(renewal);
    try {
      onUsed(await bring(response, false));
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

/** What the browser refused, as `passkeys.errors` says it; undefined for what the server said. */
export function browserRefusal(error: unknown): 'cancelled' | 'known' | 'unsupported' | 'failed' | undefined {
  if (error instanceof WebAuthnError) {
    if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known';
    if (error.code.startsWith('ERROR_AUTHENTICATOR_MISSING')) return 'unsupported';
    if (error.code.startsWith('ERROR_AUTHENTICATOR_NO_SUPPORTED')) return 'unsupported';
  }
  // Browsers do not tell a person who says no from one who has none (WebAuthn, section 14.5.2).
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return 'cancelled';
  return error instanceof WebAuthnError || error instanceof DOMException ? 'failed' : undefined;
}
