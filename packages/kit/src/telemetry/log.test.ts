import { Writable } from 'node:stream';
import { AppError } from '../errors.ts';
import { createLog, redactedFields } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  write(createLog({ service: 'test', level: 'debug', destination }));
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}

describe('createLog', () => {
  it.each(redactedFields)('redacts %s at any depth', (field) => {
    const private_ = { [field]: 'private-value' };
    const line = logged((log) =>
      log.info({ ...private_, a: private_, b: { c: private_, d: { e: private_ } } }, 'hello'),
    );
    expect(JSON.stringify(line)).not.toContain('private-value');
    expect(line).toMatchObject({ level: 'info', service: 'test', msg: 'hello' });
  });

  it.each(['phone', 'phoneNumber', 'email', 'token', 'code', 'content', 'authorization', 'cookie'])(
    'redacts %s in headers, bodies and lists as well',
    (field) => {
      const line = logged((log) =>
        log
          .child({ requestId: 'r-1', headers: { [field]: 'private-value' } })
          .warn({ request: { body: { [field]: 'private-value' } }, items: [{ [field]: 'private-value' }] }, 'hello'),
      );
      expect(JSON.stringify(line)).not.toContain('private-value');
      expect(line).toMatchObject({ requestId: 'r-1' });
    },
  );

  it('keeps the useful parts of an error: code, kind, reason and causes', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      detail: 'Key (phone)=(+27...)',
    });
    const error = new AppError('unavailable', 'storage_unavailable', 'Away.', { reason: 'no route', cause });
    const line = logged((log) => log.error({ err: error }, 'failed'));
    expect(line.err).toMatchObject({
      errorCode: 'storage_unavailable',
      kind: 'unavailable',
      reason: 'no route',
      cause: { errorCode: 'ECONNREFUSED' },
    });
    expect(JSON.stringify(line)).not.toContain('+27');
  });
});
