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
import { fullName, limits } from '@nolo/rules';
import { failIdentity } from '../errors.ts';
import type { Passkey, PasskeyChallenges, PasskeyPurpose, NewPasskey, UsedPasskey } from './passkeyPorts.ts';
import type { Account } from './ports.ts';
import type { Asking } from './securityPorts.ts';

/** The site that passkeys belong to: what authenticators are told, and whose pages may ask. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

type Credential = Pick<Passkey, 'credentialId' | 'transports'>;

export interface PasskeyCeremonies {
  /** Options for a new passkey, as JSON. */
  create(site: RelyingParty, asking: Asking, account: Account, known: readonly Credential[]): Promise<string>;
  /** What came of it. @throws AppError passkey_expired, passkey_refused */
  created(site: RelyingParty, asking: Asking, response: string): Promise<Omit<NewPasskey, 'name'>>;
  /** Options for any passkey of the site, or for one of those `allowed`, as JSON. */
  ask(site: RelyingParty, purpose: PasskeyPurpose, allowed: readonly Credential[]): Promise<string>;
  /** @throws AppError passkey_expired, passkey_refused */
  answered(
    site: RelyingParty,
    response: string,
    isMeant: (purpose: PasskeyPurpose) => boolean,
    find: (credentialId: Buffer) => Promise<Passkey | undefined>,
  ): Promise<UsedPasskey>;
}

/**
 * Nothing says whether it is not known here or not right: whoever holds a passkey learns nothing from the difference, and
 * nobody else should.
 */
export function passkeyRefused(cause?: unknown) {
  return failIdentity('invalid', 'passkey_refused', 'This passkey does not belong to an account here.', undefined, {
    cause,
  });
}

const passkeyExpired = () =>
  failIdentity('invalid', 'passkey_expired', 'That took too long. Please try again with your passkey.');

const timeout = limits.passkeyChallengeSeconds * 1_000;
/** A passkey stands for a number and its code, and for a second factor beside them, so whoever holds the device is not enough. */
const userVerification = 'required';

const toAllowed = ({ credentialId, transports }: Credential) => ({
  id: credentialId.toString('base64url'),
  transports,
});

/** The same for an account ever, and nothing that says who it is (WebAuthn, section 14.6.1). */
const handleOf = (userId: UserId) => Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'));

/** How password managers list it. */
const loginOf = ({ phoneNumber, email, firstName, lastName }: Account) =>
  phoneNumber ?? email ?? (fullName(firstName, lastName) || 'Nolo');

export function createPasskeyCeremonies({
  challenges,
  log,
}: {
  challenges: PasskeyChallenges;
  log: Pick<Log, 'info'>;
}): PasskeyCeremonies {
  /** Takes an answer's challenge; what the library then says of the answer is one word here. */
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
      if (!expired) log.info({ reason: error instanceof Error ? error.name : 'other' }, 'a passkey was refused');
      throw expired ? passkeyExpired() : passkeyRefused(error);
    }
    throw passkeyRefused();
  };

  return {
    async create({ id: rpID }, { userId, sessionId }, account, known) {
      const options = await generateRegistrationOptions({
        rpName: 'Nolo',
        rpID,
        userID: handleOf(userId),
        userName: loginOf(account),
        userDisplayName: fullName(account.firstName, account.lastName),
        timeout,
        // Who made the authenticator is nobody's business.
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

    async ask({ id: rpID }, purpose, allowed) {
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
