import { createDelivery, createOutboxDispatch } from '@nolo/kit/delivery';
import { createServiceAdminHandlers } from '@nolo/kit/serviceAdmin';
import { operatorGuard } from '@nolo/kit/proof';
import { rpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceOptions } from '@nolo/kit/service';
import { createSettings } from '@nolo/kit/settings';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { StatusServiceDefinition } from '@nolo/proto/status';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { readSettings } from '@nolo/rules';
import { createAttachableFiles } from './attachableFiles.ts';
import type { StatusConfig } from './config.ts';
import { blockChanged, onBlockChanged } from './events/onBlockChanged.ts';
import { contactsChanged, onContactsChanged } from './events/onContactsChanged.ts';
import { onReceiptsChanged, receiptsChanged } from './events/onReceiptsChanged.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { sweepExpiredStatuses } from './jobs/sweepExpiredStatuses.ts';
import { createStatusMetrics } from './metrics.ts';
import { statusHandlers } from './rpc/handlers.ts';
import { createChoiceStore } from './store/choices.ts';
import { createNamedFileStore } from './store/namedFiles.ts';
import { createPeopleStore } from './store/people.ts';
import { createStatusStore } from './store/statuses.ts';
import { createViewStore } from './store/views.ts';

export function createStatusApp(options: ServiceOptions<StatusConfig>): ServiceApp {
  return createService('status', options, (service) => {
    const { config, log, clock, db, scrapeDb, redis, bus } = service;
    const { wake, eventHandlers } = service.relayOutbox(
      createOutboxDispatch({ bus, delivery: createDelivery({ redis, bus, log }) }),
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
      [contactsChanged]: onContactsChanged({ people }),
      [blockChanged]: onBlockChanged({ people }),
      [userDeleted]: onUserDeleted({ people }),
    });
    service.consume('chat', service.client(EventLogServiceDefinition, config.CHAT_ADDR), {
      [receiptsChanged]: onReceiptsChanged({ people }),
    });
    const onDeleted = (lateSeconds: number) => metrics.expiryLateness.observe(lateSeconds);
    service.repeat(sweepExpiredStatuses({ statuses, clock, onDeleted }));

    const settings = service.client(SettingServiceDefinition, config.IDENTITY_ADDR);
    const installation = createSettings(service, {
      list: () => settings.listCurrentSettings({}),
      read: readSettings,
    });
    const handlers = statusHandlers({
      clock,
      installation,
      statuses,
      metrics,
      views: createViewStore(db, wake),
      choices: createChoiceStore(db, wake),
      named: createNamedFileStore(db),
      attachable: createAttachableFiles(service.client(SharedFileServiceDefinition, config.FILES_ADDR)),
    });
    return {
      services: [
        rpcService(StatusServiceDefinition, handlers),
        rpcService(EventLogServiceDefinition, eventHandlers),
        rpcService(
          AdminServiceDefinition,
          createServiceAdminHandlers(
            service,
            operatorGuard(service.client(OperatorServiceDefinition, service.config.IDENTITY_ADDR)),
          ),
        ),
      ],
    };
  });
}
