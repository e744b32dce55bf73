import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isAppError } from '@nolo/kit/errors';
import { newId, type UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { formatFullName, limits } from '@nolo/rules';
import { createIdentityError } from '../errors.ts';
import type { Passkey, PasskeyChallengeStore, PasskeyPurpose, NewPasskey, VerifiedPasskey } from './passkeyPorts.ts';
import type { Account } from './ports.ts';
import type { RequestingSession } from './securityPorts.ts';

/** Site that passkeys belong to: identifies it to authenticators and lists the origins that may use it. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

type Credential = Pick<Passkey, 'credentialId' | 'transports'>;

export interface PasskeyCeremonies {
  /** Returns options for a new passkey, as JSON. */
  create(
    site: RelyingParty,
    requester: RequestingSession,
    account: Account,
    known: readonly Credential[],
  ): Promise<string>;
  /** Verifies the created passkey. @throws AppError passkey_expired, passkey_refused */
  created(site: RelyingParty, requester: RequestingSession, response: string): Promise<Omit<NewPasskey, 'name'>>;
  /** Returns options for any passkey of the site, or for one of those `allowed`, as JSON. */
  createSignInOptions(site: RelyingParty, purpose: PasskeyPurpose, allowed: readonly Credential[]): Promise<string>;
  /** @throws AppError passkey_expired, passkey_refused */
  answered(
    site: RelyingParty,
    response: string,
    isMeant: (purpose: PasskeyPurpose) => boolean,
    find: (credentialId: Buffer) => Promise<Passkey | undefined>,
  ): Promise<VerifiedPasskey>;
}

/**
 * Builds the error for an unknown or invalid passkey. Does not distinguish them: the difference would not help a
 * passkey's owner, and nobody else should learn it.
 */
export function createPasskeyRefusedError(cause?: unknown) {
  return createIdentityError(
    'invalid',
    'passkey_refused',
    'This passkey does not belong to an account here.',
    undefined,
    {
      cause,
    },
  );
}

const passkeyExpired = () =>
  createIdentityError('invalid', 'passkey_expired', 'That took too long. Please try again with your passkey.');

const timeout = limits.passkeyChallengeSeconds * 1_000;
/**
 * Requires user verification, because a passkey replaces both the phone code and the second factor: holding the device
 * must not be enough.
 */
const userVerification = 'required';

const toAllowed = ({ credentialId, transports }: Credential) => ({
  id: credentialId.toString('base64url'),
  transports,
});

/** Returns a stable handle of an account that does not reveal its identity (WebAuthn, section 14.6.1). */
const handleOf = (userId: UserId) => Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'));

/** Name under which password managers list the passkey. */
const loginOf = ({ phoneNumber, email, firstName, lastName }: Account) =>
  phoneNumber ?? email ?? (formatFullName(firstName, lastName) || 'Nolo');

export function createPasskeyCeremonies({
  challenges,
  log,
}: {
  challenges: PasskeyChallengeStore;
  log: Pick<Log, 'info'>;
}): PasskeyCeremonies {
  /** Uses up the response's challenge and verifies the response. Maps all library errors to one error. */
  const hold = async <T>(
    isMeant: (purpose: PasskeyPurpose) => boolean,
    verify: (expectedChallenge: (challenge: string) => Promise<boolean>) => Promise<T | undefined>,
  ): Promise<T> => {
    let expired = false;
    try {
      const verified = await verify(async (challenge) => {
        const purpose = await challenges.take(challenge);
        expired = purpose === undefined;
        return purpose !== undefined && isMeant(purpose);
      });
      if (verified !== undefined) return verified;
    } catch (error) {
      if (isAppError(error)) throw error;
      if (!expired) log.info({ reason: error instanceof Error ? error.name : 'other' }, 'passkey refused');
      throw expired ? passkeyExpired() : createPasskeyRefusedError(error);
    }
    throw createPasskeyRefusedError();
  };

  return {
    async create({ id: rpID }, { userId, sessionId }, account, known) {
      const options = await generateRegistrationOptions({
        rpName: 'Nolo',
        rpID,
        userID: handleOf(userId),
        userName: loginOf(account),
        userDisplayName: formatFullName(account.firstName, account.lastName),
        timeout,
        // The authenticator's manufacturer is irrelevant.
        attestationType: 'none',
        excludeCredentials: known.map(toAllowed),
        authenticatorSelection: { residentKey: 'required', userVerification },
      });
      await challenges.keep(options.challenge, { is: 'add', userId, sessionId });
      return JSON.stringify(options);
    },

    created: ({ id: expectedRPID, origins: expectedOrigin }, { userId, sessionId }, response) =>
      hold(
        (purpose) => purpose.is === 'add' && purpose.userId === userId && purpose.sessionId === sessionId,
        async (expectedChallenge) => {
          const { verified, registrationInfo } = await verifyRegistrationResponse({
            response: JSON.parse(response) as RegistrationResponseJSON,
            expectedChallenge,
            expectedOrigin,
            expectedRPID,
            requireUserVerification: true,
          });
          if (!verified) return undefined;
          const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
          return {
            id: newId(),
            credentialId: Buffer.from(credential.id, 'base64url'),
            publicKey: Buffer.from(credential.publicKey),
            counter: credential.counter,
            transports: credential.transports ?? [],
            multiDevice: credentialDeviceType === 'multiDevice',
            backedUp: credentialBackedUp,
          };
        },
      ),

    async createSignInOptions({ id: rpID }, purpose, allowed) {
      const options = await generateAuthenticationOptions({
        rpID,
        timeout,
        userVerification,
        ...(purpose.is === 'prove' && { allowCredentials: allowed.map(toAllowed) }),
      });
      await challenges.keep(options.challenge, purpose);
      return JSON.stringify(options);
    },

    answered: ({ id: expectedRPID, origins: expectedOrigin }, text, isMeant, find) =>
      hold(isMeant, async (expectedChallenge) => {
        const response = JSON.parse(text) as AuthenticationResponseJSON;
        const passkey = await find(Buffer.from(response.id, 'base64url'));
        if (!passkey) return undefined;
        const { userHandle } = response.response;
        const isOwner = userHandle === Buffer.from(handleOf(passkey.userId)).toString('base64url');
        if (userHandle && !isOwner) return undefined;
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response,
          expectedChallenge,
          expectedOrigin,
          expectedRPID,
          requireUserVerification: true,
          credential: {
            id: passkey.credentialId.toString('base64url'),
            publicKey: Uint8Array.from(passkey.publicKey),
            counter: passkey.counter,
            transports: passkey.transports,
          },
        });
        if (!verified) return undefined;
        const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
        return {
          passkey,
          counter: newCounter,
          multiDevice: credentialDeviceType === 'multiDevice',
          backedUp: credentialBackedUp,
        };
      }),
  };
}
