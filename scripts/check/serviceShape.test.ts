import { findShapeProblems } from './serviceShape.ts';

const complete = ['README.md', 'package.json', 'src/main.ts', 'src/app.ts', 'src/config.ts', 'src/errors.ts'].map(
  (path) => ({ path: `services/chat/${path}`, text: '' }),
);
const contract = {
  path: 'proto/nolo/chat/v1/chat.proto',
  text: 'service ChatService {\n  rpc SendMessage(A) returns (B);\n}\n',
};
const rpc = { path: 'services/chat/src/rpc/messages.ts', text: 'export function sendMessage() {}\n' };

describe('findShapeProblems', () => {
  it('accepts a service with the common structure', () => {
    expect(findShapeProblems([...complete, contract, rpc])).toEqual([]);
  });

  it('reports what every service needs and this one lacks', () => {
    expect(findShapeProblems(complete.filter(({ path }) => !path.endsWith('errors.ts')))).toEqual([
      'services/chat/src/errors.ts is missing; every service has it.',
    ]);
  });

  it('reports an RPC with no file or several files', () => {
    const duplicate = { ...rpc, path: 'services/chat/src/rpc/annotations.ts' };
    for (const [count, files] of [
      [0, []],
      [2, [rpc, duplicate]],
    ] as const) {
      expect(findShapeProblems([...complete, contract, ...files])).toEqual([
        `services/chat/src/rpc/ has ${count} functions sendMessage: an RPC needs exactly one, in the file of its resource.`,
      ]);
    }
  });

  it('rejects a file for a single RPC', () => {
    const alone = { ...rpc, path: 'services/chat/src/rpc/sendMessage.ts' };
    expect(findShapeProblems([...complete, contract, alone])).toEqual([
      'services/chat/src/rpc/sendMessage.ts: name it after the resource, and put all its RPCs there.',
    ]);
  });

  it('reports a missing migration runner', () => {
    const migration = { path: 'services/chat/migrations/0001_messages.ts', text: '' };
    expect(findShapeProblems([...complete, migration])).toEqual([
      'services/chat/src/migrate.ts is missing, so nothing runs its migrations.',
    ]);
  });

  it.each([
    ['services/chat/src/controllers/send.ts', /but not/],
    ['services/chat/src/events/userDeleted.ts', /on<Subject>/],
    ['web/src/api/helpers.ts', /name it after what it does/],
    ['packages/kit/src/SocketManager.ts', /name it after what it does/],
  ])('rejects the path %s', (path, message) => {
    const problems = findShapeProblems([...complete, { path, text: '' }]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
  });
});
