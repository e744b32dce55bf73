import { migrateService } from '@nolo/kit/db';

await migrateService('chat', new URL('../migrations/', import.meta.url));
