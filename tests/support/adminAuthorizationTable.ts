import { randomUUID } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import type { Expectation } from './authorizationTable.ts';

/** Nobody of the cast is an operator. */
const operatorsOnly = {
  operator: 200,
  expected: {
    stranger: 403,
    neighbour: 403,
    removed: 403,
    blocked: 403,
    coHost: 403,
    member: 403,
    owner: 403,
  },
} as const;
const nothing = () => ({});
const body = { reason: 'A test.' };
const queue = { part: 'status', kind: 'event', queue: 'identity' };

/**
 * What operators see and do is refused to everybody else, whomever it is about. The operator of the table does all of it in
 * this order, to an account of their own.
 */
export const adminExpectations = {
  openAdmin: { attempt: nothing, ...operatorsOnly },
  getAdminState: { attempt: nothing, ...operatorsOnly },
  getAdminWork: { attempt: nothing, ...operatorsOnly },
  listSetAsideWork: { attempt: () => ({ query: queue }), ...operatorsOnly },
  // Nothing is set aside: the service's own tests have something.
  retrySetAsideWork: { attempt: () => ({ body: { ...queue, id: randomUUID() } }), ...operatorsOnly, operator: 404 },
  discardSetAsideWork: {
    attempt: () => ({ body: { ...queue, id: randomUUID(), reason: 'A test.' } }),
    ...operatorsOnly,
    operator: 404,
  },
  listLiveRooms: { attempt: nothing, ...operatorsOnly },
  // Nobody is in a room: operator.int.test.ts has somebody.
  endLiveRoom: { attempt: () => ({ id: randomUUID(), body }), ...operatorsOnly, operator: 404 },
  listBarredHosts: { attempt: nothing, ...operatorsOnly },
  // An ending alone is no host, and nothing is barred under a name that nobody has.
  barHosts: {
    attempt: () => ({ body: { hosts: ['com'], withSubdomains: true, reason: 'A test.' } }),
    ...operatorsOnly,
    operator: 400,
  },
  unbarHost: {
    attempt: () => ({ body: { host: 'nobody.example', reason: 'A test.' } }),
    ...operatorsOnly,
    operator: 404,
  },
  listMailInvitations: { attempt: nothing, ...operatorsOnly },
  // No address, so that nobody is written to.
  inviteByMail: {
    attempt: () => ({ body: { emails: ['nobody'], language: 'en' } }),
    ...operatorsOnly,
    operator: 400,
  },
  withdrawMailInvitation: { attempt: () => ({ id: randomUUID() }), ...operatorsOnly, operator: 404 },
  listAnnouncements: { attempt: nothing, ...operatorsOnly },
  // Everybody here would be told: this one has an end that is too far, and the services' own tests have others.
  makeAnnouncement: {
    attempt: () => ({ body: { texts: { en: 'A test.' }, severity: 'info', until: '2999-01-01T00:00:00.000Z' } }),
    ...operatorsOnly,
    operator: 400,
  },
  endAnnouncement: { attempt: () => ({ id: randomUUID() }), ...operatorsOnly, operator: 404 },
  listSettings: { attempt: nothing, ...operatorsOnly },
  // It holds for all of the installation: operatorSettings.int.test.ts changes one.
  changeSetting: {
    attempt: () => ({ params: { name: 'calls' }, body: { value: 'perhaps' } }),
    ...operatorsOnly,
    operator: 400,
  },
  findAccounts: { attempt: ({ owner }) => ({ query: { q: owner.id } }), ...operatorsOnly },
  suspendAccount: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly },
  liftSuspension: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly },
  signOutAccount: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly },
  eraseAccount: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly, operator: 204 },
  reopenAccount: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly },
  listOperatorActs: { attempt: nothing, ...operatorsOnly },
  verifyOperatorActs: { attempt: nothing, ...operatorsOnly },
  listReports: { attempt: nothing, ...operatorsOnly },
  getReportPicture: { attempt: () => ({ id: randomUUID() }), ...operatorsOnly, operator: 404 },
  changeReport: {
    // There is no such report: identity's own tests have some.
    attempt: () => ({ id: randomUUID(), body: { state: 'in_progress', note: 'A test.' } }),
    ...operatorsOnly,
    operator: 404,
  },
} as const satisfies Partial<Record<RouteName, Expectation>>;
