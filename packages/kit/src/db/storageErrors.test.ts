import { toCacheError, toStorageError } from './storageErrors.ts';

const withCode = (code: string, extra: object = {}) => Object.assign(new Error(code), { code, ...extra });

describe('storageError', () => {
  it.each([
    withCode('ECONNREFUSED', { syscall: 'connect' }),
    withCode('57P01'),
    withCode('57P03'),
    withCode('53300'),
    withCode('53100'),
    withCode('58030'),
    withCode('25006'),
    withCode('08006'),
    withCode('57014'),
    withCode('40P01'),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
    Object.assign(new Error('Knex: Timeout acquiring a connection.'), { name: 'KnexTimeoutError' }),
    new AggregateError([withCode('ECONNREFUSED', { syscall: 'connect' })]),
  ])('reports an outage: %s', (error) => {
    expect(toStorageError(error)).toMatchObject({
      kind: 'unavailable',
      code: 'storage_unavailable',
      retryAfterMs: 1000,
      cause: error,
    });
  });

  it.each([withCode('23505'), withCode('42P01'), withCode('ENOENT'), new Error('oops'), 'text', undefined])(
    'does not report other errors: %s',
    (error) => expect(toStorageError(error)).toBeUndefined(),
  );
});

describe('cacheError', () => {
  it.each([
    new Error('Command timed out'),
    new Error('Connection is closed.'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    Object.assign(new Error('Reached the max retries'), { name: 'MaxRetriesPerRequestError' }),
    new Error('LOADING Redis is loading the dataset in memory'),
    new Error("OOM command not allowed when used memory > 'maxmemory'."),
    new Error('MISCONF Redis is configured to save RDB snapshots, but is unable to persist to disk.'),
    new Error('ERR Error running script (call to f_1): @user_script:3: -OOM command not allowed when used memory'),
  ])('reports an outage: %s', (error) => {
    expect(toCacheError(error)).toMatchObject({ kind: 'unavailable', code: 'cache_unavailable' });
  });

  it('does not report other errors', () => {
    expect(toCacheError(new Error('WRONGTYPE Operation against a key'))).toBeUndefined();
  });
});
