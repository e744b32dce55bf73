import { aSignInWithProviderRequest } from '@nolo/testing/protos';
import {
  demoCode,
  requireBegunSession,
  testCallerOf,
  testDevice,
  type TestIdentity,
  type TestPerson,
} from './startIdentity.ts';

export const issuer = 'https://id.example';

/** Returns how tests change sign-in methods, and read and undo the notices. */
export function createSecurityFixtures(identity: TestIdentity) {
  const byProvider = (subject: string, changes: object = {}) =>
    identity.client.signInWithProvider(aSignInWithProviderRequest({ issuer, subject, device: testDevice, ...changes }));
  const linkProvider = ({ id, sessionId }: TestPerson, subject: string, changes: object = {}) =>
    byProvider(subject, { linkToUserId: id, linkSessionId: sessionId, ...changes });
  const verify = async (phoneNumber: string, changes: object = {}) => {
    await identity.client.sendCode({ phoneNumber, device: testDevice });
    return identity.client.verifyCode({
      phoneNumber,
      code: demoCode,
      device: testDevice,
      linkToUserId: '',
      ...changes,
    });
  };
  const linkPhone = ({ id, sessionId }: TestPerson, phoneNumber: string) =>
    verify(phoneNumber, { linkToUserId: id, linkSessionId: sessionId });
  const identitiesOf = async ({ id }: TestPerson) =>
    (await identity.security.listIdentities({ actorId: id })).identities.flatMap(
      (one) => one.phoneNumber ?? one.issuer ?? [],
    );
  const noticesOf = async (person: TestPerson) =>
    (await identity.security.listNotices({ ...testCallerOf(person) })).notices;
  const noticeOf = async (person: TestPerson, kind: string) => {
    const found = (await noticesOf(person)).find((notice) => notice.kind === kind);
    if (!found) throw new Error(`There is no notice of ${kind}.`);
    return found;
  };
  const undo = async (person: TestPerson, kind: string) =>
    identity.security.undoNotice({ ...testCallerOf(person), noticeId: (await noticeOf(person, kind)).id });
  /** Signs the account in on another device, like an attacker with a stolen session. */
  const alsoAt = async (person: TestPerson, userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Firefox/150.0') => {
    const signedIn = requireBegunSession(await verify(person.phoneNumber, { device: { ...testDevice, userAgent } }));
    return { ...person, token: signedIn.token, sessionId: signedIn.sessionId };
  };

  return { byProvider, linkProvider, verify, linkPhone, identitiesOf, noticesOf, noticeOf, undo, alsoAt };
}
