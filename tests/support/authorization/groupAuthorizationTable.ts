import { randomUUID } from 'node:crypto';
import type { RouteName, routes } from '@nolo/api';
import { signUpByPhone } from '@nolo/testing';
import { must, type CanaryKind, type AuthorizationCast, type CastRole } from './authorizationCast.ts';
import { all, type RouteAttempt, type RouteExpectation, type SignedInStatuses } from './routeExpectation.ts';
import { createUnapprovedMessage, createJoinRequester } from './groupCast.ts';

type GroupRoute = { [N in RouteName]: (typeof routes)[N]['tag'] extends 'groups' ? N : never }[RouteName];

/** Statuses for group members; the group does not exist for others. */
const inside = (status: number): SignedInStatuses => ({ ...all(404), member: status, owner: status });
/** Statuses for admins of the group; members learn that they lack permission. */
const adminsOnly = (status: number): SignedInStatuses => ({ ...inside(status), member: 403 });

const inGroup = ({ groupId }: AuthorizationCast): RouteAttempt => ({ id: groupId });
const withBody =
  (body: Record<string, unknown>) =>
  (cast: AuthorizationCast): RouteAttempt => ({ ...inGroup(cast), body });
const attemptAboutMember =
  (body?: Record<string, unknown>) =>
  (cast: AuthorizationCast): RouteAttempt => ({
    ...inGroup(cast),
    params: { userId: cast.bystander.id },
    ...(body === undefined ? {} : { body }),
  });

/** Creates another group of the owner's with the member in it, for actions that would spoil the cast's group. */
const aGroup =
  (name: string) =>
  async ({ owner, member }: AuthorizationCast): Promise<RouteAttempt> => ({
    id: must(await owner.api.post('/api/groups', { name, memberIds: [member.id] }), 'A group').body.id as string,
  });

/** Creates a group of a user unknown to the owner, which invites the owner. */
const inviteOwner = async ({ baseUrl, owner }: AuthorizationCast): Promise<RouteAttempt> => {
  const { api } = await signUpByPhone(baseUrl);
  return {
    id: must(await api.post('/api/groups', { name: 'Come in', memberIds: [owner.id] }), 'A group').body.id as string,
  };
};

/** Group members see each other's names and pictures; the member also sees the owner's status. */
const seesGroup: Partial<Record<CastRole, readonly CanaryKind[]>> = { member: ['group', 'name', 'picture', 'status'] };
const seesOwner: Partial<Record<CastRole, readonly CanaryKind[]>> = { member: ['name', 'picture', 'status'] };

/** Expectations of group routes, for a private group of the owner's with the member in it. */
export const groupExpectations: Record<GroupRoute, RouteExpectation> = {
  createGroup: {
    attempt: ({ bystander }) => ({ body: { name: 'My own', memberIds: [bystander.id] } }),
    expected: all(201),
  },
  createGroupChat: { attempt: () => ({ body: { name: 'My own' } }), expected: all(201) },
  joinGroupChat: {
    // Uses another user's group, because joining changes what its members see.
    attempt: async ({ bystander }) => {
      const group = await bystander.api.post('/api/group-chats/create', { name: 'Open to all', isPublic: true });
      return { id: must(group, 'A group').body.roomCode as string };
    },
    expected: all(200),
  },
  withdrawJoinRequest: {
    // The roles have no pending requests there, and the answer does not show who has.
    attempt: async ({ bystander }) => {
      const group = await bystander.api.post('/api/group-chats/create', { name: 'Asked by nobody' });
      return { id: must(group, 'A group').body.roomCode as string };
    },
    expected: all(204),
  },
  listOwnJoinRequests: { attempt: () => ({}), expected: all(200) },
  // The roles have no pending requests there, and the answer does not show if the group exists.
  cancelJoinRequest: { attempt: inGroup, expected: all(204) },
  listGroupInvitations: { attempt: () => ({}), expected: all(200) },
  acceptGroupInvitation: { attempt: inviteOwner, expected: { ...all(404), owner: 200 } },
  declineGroupInvitation: { attempt: inviteOwner, expected: { ...all(404), owner: 204 } },
  listGroupInvited: { attempt: inGroup, expected: inside(200) },
  listGroupChats: { attempt: () => ({}), expected: all(200), shows: seesGroup },
  getGroupChat: { attempt: inGroup, expected: inside(200), shows: seesGroup },
  updateGroupChat: { attempt: withBody({ description: 'changed' }), expected: adminsOnly(200) },
  setGroupPicture: {
    attempt: (cast) => ({ ...inGroup(cast), body: { pictureURL: cast.uploads.group } }),
    expected: adminsOnly(200),
  },
  removeGroupPicture: { attempt: inGroup, expected: adminsOnly(204) },
  listGroupMessages: {
    attempt: inGroup,
    expected: inside(200),
    shows: { member: ['group', 'message', 'name', 'picture'] },
  },
  sendGroupMessage: { attempt: withBody({ content: 'let me in' }), expected: inside(201) },
  listGroupMembers: { attempt: inGroup, expected: inside(200), shows: seesOwner },
  addGroupMembers: {
    attempt: (cast) => ({ ...inGroup(cast), body: { userIds: [cast.bystander.id] } }),
    expected: adminsOnly(201),
  },
  // The bystander may or may not be a member by now; both are fine.
  removeGroupMember: {
    attempt: async (cast) => {
      const { groupId, owner, bystander } = cast;
      must(await owner.api.post(`/api/group-chats/${groupId}/members`, { userIds: [bystander.id] }), 'The member');
      return attemptAboutMember()(cast);
    },
    expected: adminsOnly(204),
  },
  setGroupRole: {
    attempt: (cast) => ({ ...inGroup(cast), params: { userId: cast.member.id }, body: { role: 'member' } }),
    expected: adminsOnly(200),
  },
  leaveGroupChat: {
    attempt: aGroup('Left behind'),
    expected: inside(204),
  },
  handOverGroup: {
    attempt: async (cast) => ({ ...(await aGroup('Handed over')(cast)), body: { userId: cast.member.id } }),
    expected: adminsOnly(200),
  },
  listGroupBans: { attempt: inGroup, expected: adminsOnly(200) },
  banFromGroup: {
    attempt: (cast) => ({ ...inGroup(cast), params: { userId: randomUUID() } }),
    expected: adminsOnly(204),
  },
  unbanFromGroup: { attempt: attemptAboutMember(), expected: adminsOnly(204) },
  listJoinRequests: { attempt: inGroup, expected: adminsOnly(200) },
  decideJoinRequest: {
    attempt: async (cast) => ({
      ...inGroup(cast),
      params: { userId: await createJoinRequester(cast) },
      body: { approve: false },
    }),
    expected: adminsOnly(204),
  },
  rotateGroupCode: { attempt: inGroup, expected: adminsOnly(200) },
  expireGroupCode: { attempt: inGroup, expected: adminsOnly(200) },
  createGroupInvite: { attempt: inGroup, expected: adminsOnly(201) },
  revokeGroupInvite: { attempt: inGroup, expected: adminsOnly(204) },
  listHeldMessages: { attempt: inGroup, expected: inside(200) },
  decideHeldMessage: {
    attempt: async (cast) => ({
      ...inGroup(cast),
      params: { heldId: await createUnapprovedMessage(cast) },
      body: { approve: false },
    }),
    expected: adminsOnly(204),
  },
  // The message is the member's. Admins know of it, and decide instead.
  withdrawHeldMessage: {
    attempt: async (cast) => ({ ...inGroup(cast), params: { heldId: await createUnapprovedMessage(cast) } }),
    expected: { ...inside(204), owner: 403 },
  },
  callGroup: { attempt: aGroup('To be called'), expected: inside(200) },
  getGroupCall: { attempt: inGroup, expected: inside(200) },
  // The roles have no ringing call, and the answer does not show if the group exists.
  declineGroupCall: { attempt: inGroup, expected: all(204) },
  listGroupRings: { attempt: () => ({}), expected: all(200) },
};
