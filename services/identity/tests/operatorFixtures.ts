import { testCallerOf, type TestIdentity, type TestPerson } from './startIdentity.ts';
import { createTestCommandLine } from './testCommandLine.ts';

/** Returns what tests of operators do, on the command line too. */
export function createOperatorFixtures(identity: TestIdentity) {
  const command = (...argv: string[]) => createTestCommandLine(identity).command(...argv);
  const refusedCommand = (...argv: string[]) => createTestCommandLine(identity).refusedCommand(...argv);

  async function operator(): Promise<TestPerson> {
    const person = await identity.signUp('Opal', 'Osei');
    await command('operators', 'add', person.phoneNumber);
    return person;
  }
  const about = (opal: TestPerson, person: { id: string }, more: object = {}) => ({
    ...testCallerOf(opal),
    userId: person.id,
    reason: 'A test.',
    ...more,
  });

  return { command, refusedCommand, operator, about };
}
