export { limits } from './limits.ts';
export { codeSendsPerNumberShort, rateLimits, demoRateLimits } from './rateLimits.ts';
export { getGuardedAttemptLimits, getRoomCodeMissLimits as roomCodeMisses } from './roomCodeLimits.ts';
export { newAccountLimits } from './newAccountLimits.ts';
export type { Limits } from './limits.ts';
export type { RateLimit, RateLimitName } from './rateLimits.ts';
export { presenceStatuses, computeVisiblePresence } from './presence.ts';
export type { PresenceStatus } from './presence.ts';
export { parseDeviceName as deviceName, type DeviceName } from './deviceNames.ts';
export { normalizeUsername, toUsernameSkeleton } from './usernames.ts';
export { toFullyQualifiedEmoji as fullEmoji } from './emoji.ts';
export * from './names.ts';
export { sanitizeNameForMail as nameInMail } from './mailNames.ts';
export * from './cutText.ts';
export {
  compareNames,
  foldText,
  foldTextWithOffsets as foldWithPlaces,
  type FoldedText as Folded,
} from './foldText.ts';
export {
  messageTypes,
  sendableMessageTypes,
  encryptions,
  conversationTypes,
  isWithinEditWindow,
  isBlankText as isBlank,
} from './messages.ts';
export type { MessageType, Encryption, ConversationType } from './messages.ts';
export * from './contentForm.ts';
export * from './envelope.ts';
export * from './replyContents.ts';
export { builtFeatures } from './features.ts';
export * from './files.ts';
export * from './mailInvitations.ts';
export * from './meetings.ts';
export * from './findNextMeetingHost.ts';
export * from './reports.ts';
export * from './roomCodes.ts';
export * from './systemMessages.ts';
export * from './places.ts';
export * from './plans.ts';
export * from './status.ts';
export * from './statusContent.ts';
export * from './social.ts';
export * from './socialText.ts';
export * from './sockets.ts';
export * from './prices.ts';
export * from './entitlements.ts';
export * from './accessTokens.ts';
export * from './push.ts';
export * from './webhooks.ts';
export * from './brand.ts';
export * from './barredHosts.ts';
export * from './links.ts';
export * from './announcements.ts';
export * from './installationSettings.ts';
export * from './audiences.ts';
export * from './privacyChoices.ts';
export * from './languages.ts';
export * from './preferences.ts';
