import { bindRpcService } from '@nolo/kit/rpc';
import type { ServiceContext } from '@nolo/kit/service';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import { AnnouncementServiceDefinition } from '@nolo/proto/announcements';
import { MailInvitationServiceDefinition } from '@nolo/proto/mailInvitations';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { ReportServiceDefinition } from '@nolo/proto/reports';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { createBarredHostHandlers } from './rpc/barredHosts.ts';
import { createAnnouncementHandlers } from './rpc/announcements.ts';
import { createSettingHandlers } from './rpc/installationSettings.ts';
import { createMailInvitationHandlers } from './rpc/mailInvitations.ts';
import { createOperatorAdmission } from './rpc/operators.ts';
import { getMailInvitationUrl, type IdentityConfig } from './config.ts';
import type { BarredHostStore } from './domain/barredHosts.ts';
import type { AnnouncementStore } from './domain/announcements.ts';
import type { InstallationSettingStore } from './domain/installationSettings.ts';
import type { MailInvitationStore } from './domain/mailInvitations.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { createOperatorHandlers, createReportHandlers } from './rpc/handlers.ts';

/** Serves operators' views and actions. */
export function createOperatorServices(
  service: ServiceContext<IdentityConfig>,
  dependencies: Dependencies,
  {
    barredHosts,
    announcements,
    installationSettings,
    mailInvitations,
  }: {
    barredHosts: BarredHostStore;
    announcements: AnnouncementStore;
    installationSettings: InstallationSettingStore;
    mailInvitations: MailInvitationStore;
  },
) {
  return [
    bindRpcService(AdminServiceDefinition, createServiceAdminHandlers(service, createOperatorAdmission(dependencies))),
    bindRpcService(OperatorServiceDefinition, createOperatorHandlers(dependencies)),
    bindRpcService(ReportServiceDefinition, createReportHandlers(dependencies)),
    bindRpcService(BarredHostServiceDefinition, createBarredHostHandlers({ ...dependencies, barredHosts })),
    bindRpcService(
      MailInvitationServiceDefinition,
      createMailInvitationHandlers({
        ...dependencies,
        mailInvitations,
        invitesTo: getMailInvitationUrl(service.config),
      }),
    ),
    bindRpcService(AnnouncementServiceDefinition, createAnnouncementHandlers({ ...dependencies, announcements })),
    bindRpcService(SettingServiceDefinition, createSettingHandlers({ ...dependencies, installationSettings })),
  ];
}
