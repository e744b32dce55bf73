import { computeOneTimePassword } from '@nolo/testing';
import {
  captureRefusal,
  demoCode,
  testCallerOf,
  testDevice,
  type TestIdentity,
  type TestPerson,
} from './startIdentity.ts';

export const stepMs = 30_000;
export const elsewhere = { userAgent: 'Another browser', address: '192.0.2.77' };

interface Required {
  ticket: string;
  expiresAt: string;
  passkey: boolean;
  mayWait: boolean;
  opensAt: string | null;
}

/** Returns how tests set up two-step verification, and sign in with it. */
export function createSecondFactorFixtures(identity: TestIdentity) {
  /** Returns the code that an authenticator app shows. @param steps how far its clock is ahead */
  const shown = (secret: string, steps = 0) =>
    computeOneTimePassword(secret, new Date(identity.clock.now().getTime() + steps * stepMs));

  const begin = async (person: TestPerson) =>
    (await identity.secondFactor.beginSecondFactor(testCallerOf(person))).secret ?? '';
  const confirm = async (person: TestPerson, code: string) =>
    (await identity.secondFactor.confirmSecondFactor({ ...testCallerOf(person), code })).codes;

  /** Creates a user with two-step verification, and returns what opens the account. */
  async function locked() {
    const ada = await identity.signUp('Ada');
    const secret = await begin(ada);
    const codes = await confirm(ada, shown(secret));
    // The first password is used up.
    identity.clock.advance(2 * stepMs);
    return { ada, secret, codes };
  }

  const byPhone = async (phoneNumber: string, from = testDevice, takeBack?: boolean) => {
    await identity.client.sendCode({ phoneNumber, device: from });
    return identity.client.verifyCode({ phoneNumber, code: demoCode, device: from, takeBack });
  };
  /** Returns the reply to a correct text message code. */
  async function required(phoneNumber: string, from = testDevice, takeBack?: boolean): Promise<Required> {
    const refused = await captureRefusal(byPhone(phoneNumber, from, takeBack));
    expect(refused).toMatchObject({ kind: 'forbidden', code: 'second_factor_required' });
    return refused['details'] as Required;
  }
  const pass = (ticket: string, code: string, from = testDevice) =>
    identity.secondFactor.passSecondFactor({ ticket, code, device: from });
  const stateOf = ({ id }: TestPerson) => identity.secondFactor.getSecondFactor({ actorId: id });
  const kindsOf = async (person: TestPerson) =>
    (await identity.security.listNotices(testCallerOf(person))).notices.map(({ kind }) => kind);
  const outdate = (person: TestPerson) =>
    identity
      .db('sessions')
      .where({ id: person.sessionId })
      .update({ proven_at: new Date(0) });

  return { shown, begin, confirm, locked, byPhone, required, pass, stateOf, kindsOf, outdate };
}
