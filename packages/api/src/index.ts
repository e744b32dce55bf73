export * from './schemas.ts';
export { openEnvelope, sealEnvelope, type Envelope } from './envelope.ts';
export * from './securitySchemas.ts';
export * from './groupSchemas.ts';
export * from './meetingSchemas.ts';
export * from './statusSchemas.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './realtime.ts';
