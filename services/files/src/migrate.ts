import { migrateService } from '@nolo/kit/db';

await migrateService('files', new URL('../migrations/', import.meta.url));
