export * from './schemas.ts';
export * from './configSchemas.ts';
export type { Sealed, SealedMessage, SealedStatus } from './sealed.ts';
export * from './preferenceSchemas.ts';
export * from './sessionSchemas.ts';
export * from './securitySchemas.ts';
export * from './keySchemas.ts';
export * from './epochSchemas.ts';
export * from './sealSchemas.ts';
export * from './tokenSchemas.ts';
export * from './pushSchemas.ts';
export * from './webhookSchemas.ts';
export * from './groupSchemas.ts';
export * from './meetingSchemas.ts';
export * from './statusSchemas.ts';
export * from './socialSchemas.ts';
export * from './billingSchemas.ts';
export * from './billingAdminSchemas.ts';
export { accountExport, type AccountExport } from './exportRoutes.ts';
export * from './adminSchemas.ts';
export type { AdminAnnouncement, Announcement } from './announcements.ts';
export type { BarredHost } from './barredHostRoutes.ts';
export type { MailInvitation } from './mailInvitationRoutes.ts';
export type {
  AdminServiceInfo,
  AdminSetting,
  InstallationState,
  WorkQueueOverview,
  LiveRoom,
  SetAsideWork,
  WorkQueue,
} from './adminStateSchemas.ts';
export type { AdminReport, ReportedMessage } from './reportRoutes.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './realtime.ts';
