import { migrateService } from '@nolo/kit/db';

await migrateService('transcriber', new URL('../migrations/', import.meta.url));
