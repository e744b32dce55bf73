import { adminRoutes } from './adminRoutes.ts';
import { barredHostRoutes } from './barredHostRoutes.ts';
import { billingAdminRoutes } from './billingAdminRoutes.ts';
import { billingRoutes } from './billingRoutes.ts';
import { billingTeamRoutes } from './billingTeamRoutes.ts';
import { brandRoutes } from './brandRoutes.ts';
import { callRoutes } from './callRoutes.ts';
import { contactRoutes } from './contactRoutes.ts';
import { conversationRoutes } from './conversationRoutes.ts';
import { epochRoutes } from './epochRoutes.ts';
import { exportRoutes } from './exportRoutes.ts';
import { fileRoutes } from './fileRoutes.ts';
import { keyRoutes } from './keyRoutes.ts';
import { linkRoutes } from './linkRoutes.ts';
import { groupCallRoutes } from './groupCallRoutes.ts';
import { groupInvitationRoutes } from './groupInvitationRoutes.ts';
import { groupMemberRoutes } from './groupMemberRoutes.ts';
import { groupRoutes } from './groupRoutes.ts';
import { mailInvitationRoutes } from './mailInvitationRoutes.ts';
import { messageActionRoutes } from './messageActionRoutes.ts';
import { meetingRoutes } from './meetingRoutes.ts';
import { passkeyRoutes } from './passkeyRoutes.ts';
import { pushRoutes } from './pushRoutes.ts';
import { reportRoutes } from './reportRoutes.ts';
import { secondFactorRoutes } from './secondFactorRoutes.ts';
import { securityRoutes } from './securityRoutes.ts';
import { sessionRoutes } from './sessionRoutes.ts';
import { socialRoutes } from './socialRoutes.ts';
import { statusRoutes } from './statusRoutes.ts';
import { systemRoutes } from './systemRoutes.ts';
import { tokenRoutes } from './tokenRoutes.ts';
import { transcriptionRoutes } from './transcriptionRoutes.ts';
import { userRoutes } from './userRoutes.ts';
import { webhookRoutes } from './webhookRoutes.ts';

/**
 * All routes of the REST API. List calls return bare arrays, with the next cursor in `nextCursorHeader` (decision 17).
 */
export const routes = {
  ...sessionRoutes,
  ...passkeyRoutes,
  ...secondFactorRoutes,
  ...securityRoutes,
  ...keyRoutes,
  ...epochRoutes,
  ...tokenRoutes,
  ...userRoutes,
  ...reportRoutes,
  ...exportRoutes,
  ...contactRoutes,
  ...conversationRoutes,
  ...linkRoutes,
  ...groupRoutes,
  ...groupMemberRoutes,
  ...groupCallRoutes,
  ...groupInvitationRoutes,
  ...messageActionRoutes,
  ...fileRoutes,
  ...transcriptionRoutes,
  ...meetingRoutes,
  ...brandRoutes,
  ...callRoutes,
  ...statusRoutes,
  ...socialRoutes,
  ...billingRoutes,
  ...billingTeamRoutes,
  ...billingAdminRoutes,
  ...adminRoutes,
  ...barredHostRoutes,
  ...mailInvitationRoutes,
  ...webhookRoutes,
  ...pushRoutes,
  ...systemRoutes,
} as const;

export type RouteName = keyof typeof routes;

/** Header with the cursor of the next page of a list. */
export const nextCursorHeader = 'Nolo-Next-Cursor';
