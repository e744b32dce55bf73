import { routes } from '@nolo/api';
import compression from 'compression';
import express, { type Express } from 'express';
import { serveDocs } from './docs/docsPage.ts';
import { createOpenApi } from './docs/openApi.ts';
import type { GatewayContext } from './gatewayContext.ts';
import { createGatewayError } from './errors.ts';
import { bindAdmin } from './routes/admin.ts';
import { bindAdminAnnouncements } from './routes/adminAnnouncements.ts';
import { bindAdminRooms } from './routes/adminRooms.ts';
import { bindAdminSettings } from './routes/adminSettings.ts';
import { bindAdminState } from './routes/adminState.ts';
import { bindAdminWork } from './routes/adminWork.ts';
import { bindBarredHosts } from './routes/barredHosts.ts';
import { bindMailInvitations } from './routes/mailInvitations.ts';
import { bindReports } from './routes/reports.ts';
import { bindAccount } from './routes/account.ts';
import { bindExports } from './routes/exports.ts';
import { bindBilling } from './routes/billing.ts';
import { bindBillingAdmin } from './routes/billingAdmin.ts';
import { bindBillingNotifications } from './routes/billingNotifications.ts';
import { bindBillingTeam } from './routes/billingTeam.ts';
import { bindBrand } from './routes/brand.ts';
import { bindCalls } from './routes/calls.ts';
import { bindContacts } from './routes/contacts.ts';
import { bindConversations } from './routes/conversations.ts';
import { bindFiles } from './routes/files.ts';
import { bindImports } from './routes/imports.ts';
import { bindObjects } from './routes/objects.ts';
import { bindUploads } from './routes/uploads.ts';
import { bindUploadBytes } from './routes/uploadBytes.ts';
import { bindGroupEntry } from './routes/groupEntry.ts';
import { bindGroups } from './routes/groups.ts';
import { bindGroupInvitations } from './routes/groupInvitations.ts';
import { bindGroupModeration } from './routes/groupModeration.ts';
import { bindGroupMembers } from './routes/groupMembers.ts';
import { bindLinkPreviews } from './routes/linkPreviews.ts';
import { bindMessageActions } from './routes/messageActions.ts';
import { bindMeetings } from './routes/meetings.ts';
import { bindMeetingModeration } from './routes/meetingModeration.ts';
import { bindMeetingEntry } from './routes/meetingEntry.ts';
import { bindMessages } from './routes/messages.ts';
import { bindEpochs } from './routes/epochs.ts';
import { bindKeys } from './routes/keys.ts';
import { bindPasskeys } from './routes/passkeys.ts';
import { bindSecondFactor } from './routes/secondFactor.ts';
import { bindSecurity } from './routes/security.ts';
import { bindSessions } from './routes/sessions.ts';
import { bindSocial } from './routes/social.ts';
import { bindSocialPosts } from './routes/socialPosts.ts';
import { bindStatus } from './routes/status.ts';
import { installedVersion } from './mapping/publicConfig.ts';
import { bindSystem } from './routes/system.ts';
import { bindTokens } from './routes/tokens.ts';
import { bindTranscription } from './routes/transcription.ts';
import { bindPush } from './routes/push.ts';
import { bindWebhooks } from './routes/webhooks.ts';
import { bindUsers } from './routes/users.ts';
import { bindVerification } from './routes/verification.ts';
import type { Provider } from './signIn/provider.ts';
import { bindSignIn } from './signIn/signInRoutes.ts';
import { createSignInStates } from './signIn/signInState.ts';
import { createRouteBinder, toExpressPath } from './http/routeBinder.ts';
import { enforceBodyDeadline } from './http/enforceBodyDeadline.ts';
import { createErrorHandler } from './http/errorReply.ts';
import { serveBackgroundModel } from './http/backgroundModel.ts';
import type { HealthCheck } from './http/health.ts';
import { enforceRequestBounds } from './http/requestBounds.ts';
import { createRequestTelemetry } from './http/requestTelemetry.ts';
import { createPagePolicy, createSecurityHeaders } from './http/securityHeaders.ts';
import { serveWeb } from './http/staticWeb.ts';

/** Creates the HTTP app, from the outermost layer to the innermost. */
export function createHttpApp(
  context: GatewayContext,
  dependencies: { provider: Provider | undefined; health: HealthCheck; secure: boolean },
): Express {
  const { config, sessions, clock, publicUrl } = context;
  const { provider, health, secure } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);

  app.use(enforceBodyDeadline);
  app.use(createRequestTelemetry(context.metrics));
  const payments = context.billing ? config.PAYMENT_FORM_ORIGINS : [];
  const policy = createPagePolicy(context.origins, { uploads: config.UPLOAD_ORIGIN, payments });
  app.use(createSecurityHeaders({ policy, secure }));
  app.use(enforceRequestBounds);
  app.use(['/api', '/s3', '/url'], (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  const pagesOfMessages = [routes.listMessages, routes.listGroupMessages].map(({ path }) => toExpressPath(path));
  // All other replies stay uncompressed: the length of a reply with texts of different people would leak information
  // (ADR 0033).
  app.get(pagesOfMessages, compression());

  const { bind, refuseOtherMethods } = createRouteBinder(app, context);
  // Routes are matched in order, so the most frequent ones come first.
  bindMessages(bind, context);
  bindSystem(bind, context, {
    health,
    openApi: remember(() => createOpenApi({ publicUrl, version: installedVersion, cookieName: sessions.cookieName })),
  });
  bindSignIn(bind, context, provider, createSignInStates({ secret: config.COOKIE_SECRET, secure, clock }));
  bindVerification(bind, context);
  bindPasskeys(bind, context);
  bindSecondFactor(bind, context);
  bindSessions(bind, context);
  bindSecurity(bind, context, provider?.issuer);
  bindKeys(bind, context);
  bindEpochs(bind, context);
  bindTokens(bind, context);
  bindAdmin(bind, context);
  bindAdminState(bind, context, health);
  bindAdminWork(bind, context);
  bindAdminRooms(bind, context);
  bindAdminAnnouncements(bind, context);
  bindAdminSettings(bind, context);
  bindBarredHosts(bind, context);
  bindMailInvitations(bind, context);
  bindReports(bind, context);
  bindUsers(bind, context);
  bindFiles(bind, context);
  bindUploads(bind, context);
  bindUploadBytes(bind, context);
  bindObjects(bind, context);
  bindImports(bind, context);
  bindTranscription(bind, context);
  bindAccount(bind, context);
  bindExports(bind, context);
  bindContacts(bind, context);
  bindConversations(bind, context);
  bindGroupEntry(bind, context);
  bindGroups(bind, context);
  bindGroupMembers(bind, context);
  bindGroupInvitations(bind, context);
  bindGroupModeration(bind, context);
  bindMessageActions(bind, context);
  bindStatus(bind, context);
  bindSocial(bind, context);
  bindSocialPosts(bind, context);
  bindBilling(bind, context);
  bindBillingTeam(bind, context);
  bindBillingNotifications(bind, context);
  bindBillingAdmin(bind, context);
  bindWebhooks(bind, context);
  bindPush(bind, context);
  bindLinkPreviews(bind, context);
  bindMeetings(bind, context);
  bindMeetingEntry(bind, context);
  bindMeetingModeration(bind, context);
  bindBrand(bind, context);
  bindCalls(bind, context);
  refuseOtherMethods();

  serveDocs(app, secure);
  for (const prefix of ['/api', '/objects', '/s3', '/url', '/ws']) {
    app.use(prefix, (_request, _response, next) => {
      next(createGatewayError('not_found', 'route_not_found', 'There is nothing at this address.'));
    });
  }
  if (config.BACKGROUND_MODEL_FILE !== undefined) serveBackgroundModel(app, config.BACKGROUND_MODEL_FILE);
  app.use(serveWeb(config.WEB_DIR, context.log));
  app.use((_request, _response, next) => {
    next(createGatewayError('not_found', 'route_not_found', 'There is nothing at this address.'));
  });
  app.use(createErrorHandler(context.log, sessions, context.metrics));
  return app;
}

function remember<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
