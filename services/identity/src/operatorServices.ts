import { rpcService } from '@nolo/kit/rpc';
import type { ServiceContext } from '@nolo/kit/service';
import { createServiceAdminHandlers } from '@nolo/kit/serviceAdmin';
import { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import { AnnouncementServiceDefinition } from '@nolo/proto/announcements';
import { MailInvitationServiceDefinition } from '@nolo/proto/mailInvitations';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { ReportServiceDefinition } from '@nolo/proto/reports';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { barredHostHandlers } from './rpc/barredHosts.ts';
import { createAnnouncementHandlers } from './rpc/announcements.ts';
import { settingHandlers } from './rpc/installationSettings.ts';
import { mailInvitationHandlers } from './rpc/mailInvitations.ts';
import { admitOperator } from './rpc/operators.ts';
import { invitesTo, type IdentityConfig } from './config.ts';
import type { BarredHosts } from './domain/barredHosts.ts';
import type { AnnouncementStore } from './domain/announcements.ts';
import type { InstallationSettings } from './domain/installationSettings.ts';
import type { MailInvitations } from './domain/mailInvitations.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { createOperatorHandlers, createReportHandlers } from './rpc/handlers.ts';

/** Serves operators' views and actions. */
export function serveOperators(
  service: ServiceContext<IdentityConfig>,
  dependencies: Dependencies,
  {
    barredHosts,
    announcements,
    installationSettings,
    mailInvitations,
  }: {
    barredHosts: BarredHosts;
    announcements: AnnouncementStore;
    installationSettings: InstallationSettings;
    mailInvitations: MailInvitations;
  },
) {
  return [
    rpcService(AdminServiceDefinition, createServiceAdminHandlers(service, admitOperator(dependencies))),
    rpcService(OperatorServiceDefinition, createOperatorHandlers(dependencies)),
    rpcService(ReportServiceDefinition, createReportHandlers(dependencies)),
    rpcService(BarredHostServiceDefinition, barredHostHandlers({ ...dependencies, barredHosts })),
    rpcService(
      MailInvitationServiceDefinition,
      mailInvitationHandlers({ ...dependencies, mailInvitations, invitesTo: invitesTo(service.config) }),
    ),
    rpcService(AnnouncementServiceDefinition, createAnnouncementHandlers({ ...dependencies, announcements })),
    rpcService(SettingServiceDefinition, settingHandlers({ ...dependencies, installationSettings })),
  ];
}
