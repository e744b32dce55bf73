import { createDeliveryService, createOutboxDispatch } from '@nolo/kit/delivery';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createOperatorGuard } from '@nolo/kit/proof';
import { bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceOptions } from '@nolo/kit/service';
import { followOperatorSettings } from '@nolo/installation/settings';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { StatusServiceDefinition } from '@nolo/proto/status';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { parseSettings } from '@nolo/rules';
import { createAttachableFilesCheck } from './attachableFiles.ts';
import type { StatusConfig } from './config.ts';
import { blockChangedSubject, onBlockChanged } from './events/onBlockChanged.ts';
import { contactsChangedSubject, onContactsChanged } from './events/onContactsChanged.ts';
import { onReceiptsChanged, receiptsChangedSubject } from './events/onReceiptsChanged.ts';
import { onUserDeleted, userDeletedSubject } from './events/onUserDeleted.ts';
import { createSweepExpiredStatusesTask } from './jobs/createSweepExpiredStatusesTask.ts';
import { createStatusMetrics } from './metrics.ts';
import { createStatusHandlers } from './rpc/handlers.ts';
import { createAudienceChoiceStore } from './store/choices.ts';
import { createStatusFileReferenceStore } from './store/statusFileReferences.ts';
import { createPeopleStore } from './store/people.ts';
import { createStatusStore } from './store/statuses.ts';
import { createStatusViewStore } from './store/views.ts';

export function createStatusApp(options: ServiceOptions<StatusConfig>): ServiceApp {
  return createService('status', options, (service) => {
    const { config, log, clock, db, scrapeDb, redis, bus } = service;
    const { wake, eventHandlers } = service.relayOutbox(
      createOutboxDispatch({ bus, delivery: createDeliveryService({ redis, bus, log }) }),
    );
    const statuses = createStatusStore(db, wake);
    const people = createPeopleStore(db, wake);
    const counted = createStatusStore(scrapeDb, wake);
    const metrics = createStatusMetrics(service.metrics, {
      overdueSeconds: async () => {
        const now = clock.now().getTime();
        return Math.max(0, now - ((await counted.nextExpiry())?.getTime() ?? now)) / 1_000;
      },
    });

    service.consume('identity', service.client(EventLogServiceDefinition, config.IDENTITY_ADDR), {
      [contactsChangedSubject]: onContactsChanged({ people }),
      [blockChangedSubject]: onBlockChanged({ people }),
      [userDeletedSubject]: onUserDeleted({ people }),
    });
    service.consume('chat', service.client(EventLogServiceDefinition, config.CHAT_ADDR), {
      [receiptsChangedSubject]: onReceiptsChanged({ people }),
    });
    const onDeleted = (lateSeconds: number) => metrics.expiryLateness.observe(lateSeconds);
    service.repeat(createSweepExpiredStatusesTask({ statuses, clock, onDeleted }));

    const settings = service.client(SettingServiceDefinition, config.IDENTITY_ADDR);
    const installation = followOperatorSettings(service, {
      list: () => settings.listCurrentSettings({}),
      read: parseSettings,
    });
    const handlers = createStatusHandlers({
      clock,
      installation,
      statuses,
      metrics,
      views: createStatusViewStore(db, wake),
      choices: createAudienceChoiceStore(db, wake),
      named: createStatusFileReferenceStore(db),
      attachable: createAttachableFilesCheck(service.client(SharedFileServiceDefinition, config.FILES_ADDR)),
    });
    return {
      services: [
        bindRpcService(StatusServiceDefinition, handlers),
        bindRpcService(EventLogServiceDefinition, eventHandlers),
        bindRpcService(
          AdminServiceDefinition,
          createServiceAdminHandlers(
            service,
            createOperatorGuard(service.client(OperatorServiceDefinition, service.config.IDENTITY_ADDR)),
          ),
        ),
      ],
    };
  });
}
