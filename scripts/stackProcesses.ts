import type { ChildLogs } from './childLog.ts';
import { startNodeChild } from './childProcess.ts';
import { getBundledDependencyArguments } from './dependencies/provideBundledDependencies.ts';
import { createMediaAddressEnv } from './mediaAddressEnv.ts';
import type { MediaWorker } from './mediaWorker/provideMediaWorker.ts';
import { findFreePort } from './ports.ts';
import { createServiceEnv, type ProcessSettings, type InstanceSettings } from './serviceEnv.ts';
import type { ReplicaOptions, StackOptions } from './stack.ts';
import { superviseUnit, type Supervision, type SupervisorOptions } from './supervisor.ts';

/** Returns "chat", "chat2" and so on. */
export function formatReplicaName(kind: string, index: number): string {
  return index === 0 ? kind : `${kind}${String(index + 1)}`;
}

export function createSupervisorCallbacks(options: StackOptions): Pick<SupervisorOptions, 'onGiveUp' | 'onNotice'> {
  return {
    onGiveUp: options.onGiveUp ?? (() => undefined),
    onNotice: options.onNotice ?? (() => undefined),
  };
}

/** Supervised processes of a stack. */
export class StackProcesses {
  readonly #options: StackOptions;
  readonly #around: InstanceSettings;
  readonly #logs: ChildLogs;
  readonly #supervised: Map<string, Supervision>;
  #mediaNodes = 0;
  /** URLs of /metrics, by process name. */
  readonly metricsUrls: Record<string, string> = {};

  constructor(options: StackOptions, around: InstanceSettings, logs: ChildLogs, supervised: Map<string, Supervision>) {
    this.#options = options;
    this.#around = around;
    this.#logs = logs;
    this.#supervised = supervised;
  }

  async run(
    name: string,
    kind: string,
    {
      place = {},
      watch = createSupervisorCallbacks(this.#options),
      replica = {},
    }: {
      place?: Partial<ProcessSettings>;
      watch?: SupervisorOptions;
      replica?: ReplicaOptions | undefined;
    } = {},
  ): Promise<void> {
    const log = this.#logs.of(name);
    const metricsPort = await findFreePort();
    this.metricsUrls[name] = `http://127.0.0.1:${String(metricsPort)}/metrics`;
    const env = {
      ...createServiceEnv(kind, this.#around, { metricsPort, ...place }),
      ...this.#options.env,
      ...replica.env,
    };
    const ownModule = kind === 'simulators' ? 'simulators/src/main.ts' : `services/${kind}/src/main.ts`;
    const module = (kind === 'gateway' ? this.#options.gatewayModule : undefined) ?? ownModule;
    // A different checkout has its own dependencies.
    const nodeArguments = getBundledDependencyArguments(
      replica.root === undefined ? this.#around.dependencies : undefined,
    );
    const unit = superviseUnit(
      {
        name,
        log,
        launch: async () =>
          await startNodeChild({
            root: replica.root,
            nodeArguments,
            module,
            env,
            onLine: log.line,
            announcesReady: true,
          }),
      },
      watch,
    );
    this.#supervised.set(name, unit);
    await unit.start();
  }

  async startMedia(worker: MediaWorker): Promise<void> {
    const name = formatReplicaName('media-sfu', this.#mediaNodes);
    this.#mediaNodes += 1;
    const { onNotice } = createSupervisorCallbacks(this.#options);
    const environment = { ...this.#around.environment, ...this.#options.env };
    const address = createMediaAddressEnv({ ...this.#options, environment });
    const place = { media: { rpcPort: await findFreePort(), worker, address } };
    await this.run(name, 'media-sfu', {
      place,
      watch: { onNotice, onGiveUp: (reason) => onNotice(reason.message) },
    });
  }
}
