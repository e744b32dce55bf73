import { rpcService } from '@nolo/kit/rpc';
import type { ServiceContext } from '@nolo/kit/service';
import { createServiceAdminHandlers } from '@nolo/kit/serviceAdmin';
import { BarredHostServiceService } from '@nolo/proto/barredHosts';
import { BulletinServiceService } from '@nolo/proto/bulletins';
import { MailInvitationServiceService } from '@nolo/proto/mailInvitations';
import { OperatorServiceService } from '@nolo/proto/operators';
import { PartServiceService } from '@nolo/proto/part';
import { ReportServiceService } from '@nolo/proto/reports';
import { SettingServiceService } from '@nolo/proto/settings';
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
    rpcService(PartServiceService, createServiceAdminHandlers(service, admitOperator(dependencies))),
    rpcService(OperatorServiceService, createOperatorHandlers(dependencies)),
    rpcService(ReportServiceService, createReportHandlers(dependencies)),
    rpcService(BarredHostServiceService, barredHostHandlers({ ...dependencies, barredHosts })),
    rpcService(
      MailInvitationServiceService,
      mailInvitationHandlers({ ...dependencies, mailInvitations, invitesTo: invitesTo(service.config) }),
    ),
    rpcService(BulletinServiceService, createAnnouncementHandlers({ ...dependencies, announcements })),
    rpcService(SettingServiceService, settingHandlers({ ...dependencies, installationSettings })),
  ];
}
