import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

/** Branding of rooms by the plan of their host. */

let nolo: TestMeetings;

beforeAll(async () => {
  nolo = await startMeetings({ plans: true });
});
afterAll(() => nolo.stop());

const harbour = { name: ' Harbour Dental ', color: '#0A6E5C' };
const set = (actorId: string, more: object = {}) => nolo.brands.setBrand({ actorId, ...harbour, ...more });
const logo = () => `/objects/${randomUUID()}`;
/** Returns the brand that people without an account see on the pre-join page. */
const fetchPreJoinBrand = async (roomCode: string) =>
  (await nolo.meetings.checkAccess({ actorId: '', roomCode, inviteToken: '', address: '' })).meeting?.brand;

async function business(): Promise<string> {
  const who = await nolo.person();
  await nolo.billing.sell(who, 'business');
  await eventually(async () => (await meetingsErrorKindAndCode(nolo.brands.checkBrand({ actorId: who }))) === 'none');
  return who;
}

test('a brand is shown on the pre-join page, in the lobby and in the room, to guests as well', async () => {
  const host = await business();
  const logoPath = logo();
  await set(host, { logoPath });
  const shown = { name: 'Harbour Dental', color: '#0a6e5c', logoPath };
  const meeting = await nolo.meeting(host, { requireAuth: false, waitingRoom: true });
  expect(await fetchPreJoinBrand(meeting.roomCode)).toEqual(shown);
  expect((await nolo.enter(await nolo.person(), meeting.roomCode)).meeting?.brand).toEqual(shown);
  expect((await nolo.enter(host, meeting.roomCode)).meeting?.brand).toEqual(shown);
});

test('a brand requires the plan; without it an existing one is kept, hidden and can be removed', async () => {
  const host = await business();
  await set(host);
  const meeting = await nolo.meeting(host, { requireAuth: false });
  await nolo.billing.sell(host, 'plus');
  await eventually(async () => (await fetchPreJoinBrand(meeting.roomCode)) === undefined);
  expect(await nolo.brands.getBrand({ actorId: host })).toMatchObject({
    shown: false,
    brand: { name: 'Harbour Dental' },
  });
  await expect(set(host)).rejects.toMatchObject({
    kind: 'plan_limited',
    code: 'plan_limit',
    details: { feature: 'branding', limit: 0, liftedBy: ['business'] },
  });
  await nolo.billing.sell(host, 'business');
  await eventually(async () => (await fetchPreJoinBrand(meeting.roomCode)) !== undefined);
  await nolo.billing.sell(host, 'free');
  await nolo.brands.removeBrand({ actorId: host });
  expect((await nolo.brands.getBrand({ actorId: host })).brand).toBeUndefined();
});

test("a team's meetings carry its brand, which only its owner can set or remove", async () => {
  const [owner, member] = [await business(), await nolo.person()];
  await set(owner);
  await nolo.billing.seat(member, owner);
  const meeting = await nolo.meeting(member, { requireAuth: false });
  await eventually(async () => (await fetchPreJoinBrand(meeting.roomCode))?.name === 'Harbour Dental');
  expect(await nolo.brands.getBrand({ actorId: member })).toMatchObject({ ownerId: owner, shown: true });
  expect(await meetingsErrorKindAndCode(set(member))).toBe('forbidden not_brand_owner');
  expect(await meetingsErrorKindAndCode(nolo.brands.removeBrand({ actorId: member }))).toBe(
    'forbidden not_brand_owner',
  );
});

test('a logo is kept until it is replaced or removed, and the response names the one to delete', async () => {
  const host = await business();
  const [first, second] = [logo(), logo()];
  await set(host, { logoPath: first });
  expect(await set(host)).toMatchObject({ brand: { logoPath: first }, formerLogoPath: undefined });
  expect(await set(host, { logoPath: second })).toMatchObject({ brand: { logoPath: second }, formerLogoPath: first });
  expect(await set(host, { logoPath: '' })).toMatchObject({ brand: { logoPath: undefined }, formerLogoPath: second });
});

test.each([
  { name: '  ' },
  { name: 'x'.repeat(41) },
  { name: '\u2800\u202e' },
  { color: 'red' },
  { color: '#fff' },
  { color: '#12345g' },
  { logoPath: 'https://elsewhere.example/logo.png' },
])('%j is refused', async (wrong) => {
  expect(await meetingsErrorKindAndCode(set(await business(), wrong))).toBe('invalid brand_invalid');
});

test('a change is logged once, and deleted with the account', async () => {
  const host = await business();
  await set(host);
  await set(host);
  const publishedEvents = await nolo.db('events').where({ key: host }).select('subject');
  expect(publishedEvents.map(({ subject }: { subject: string }) => subject)).toEqual(['event.meetings.brand_changed']);
  await nolo.deleteUser(host);
  await eventually(async () => (await nolo.db('brands').where({ owner_id: host })).length === 0);
});
