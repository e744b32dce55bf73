import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import {
  credentialsLifetimeSeconds,
  incomingFolder,
  type IncomingPrefix,
  type StrayUpload,
  type TemporaryAccess,
  type TemporaryCredentials,
} from '../domain/incoming.ts';
import type { StorageKey } from '../domain/ports.ts';
import { storageUnavailable } from '../errors.ts';
import type { S3Driver } from './S3Driver.ts';
import { connectionTimeoutMs, silentLogger, type S3Options } from './s3Client.ts';

export interface StsOptions {
  /** Role of the credentials, which never permit more than it does. */
  roleArn: string;
  /** URL of STS. Absent for Amazon. */
  endpoint: string | undefined;
}

const answerTimeout = 10_000;

/** Permissions for uploading a file, without reading, deleting or listing. */
const uploading = ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'];

function policyFor(bucket: string, prefix: IncomingPrefix, partition: string): string {
  const Resource = [`arn:${partition}:s3:::${bucket}/${prefix}*`];
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: uploading, Resource }] });
}

/** Issues credentials by STS, which Amazon, MinIO and Ceph offer in addition to S3. */
export class S3TemporaryAccess implements TemporaryAccess {
  readonly #driver: S3Driver;
  readonly #sts: STSClient;
  readonly #options: S3Options;
  readonly #roleArn: string;

  /** @param driver for the same server; the caller retains ownership. */
  constructor(driver: S3Driver, options: S3Options, { roleArn, endpoint }: StsOptions) {
    this.#driver = driver;
    this.#options = options;
    this.#roleArn = roleArn;
    this.#sts = new STSClient({
      region: options.region,
      ...(endpoint === undefined ? {} : { endpoint }),
      credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey.reveal() },
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: connectionTimeoutMs,
        requestTimeout: answerTimeout,
        throwOnRequestTimeout: true,
        socketTimeout: answerTimeout,
      },
      logger: silentLogger,
    });
  }

  close(): void {
    this.#sts.destroy();
  }

  async credentialsFor(prefix: IncomingPrefix): Promise<TemporaryCredentials | undefined> {
    if (await this.#driver.keepsBrokenParts()) return undefined;
    const { bucket, region } = this.#options;
    // The partition, the second segment of every ARN, identifies Amazon's Chinese and government regions.
    const partition = /^arn:(aws[\w-]*):/.exec(this.#roleArn)?.[1] ?? 'aws';
    const { Credentials } = await this.#request(() =>
      this.#sts.send(
        new AssumeRoleCommand({
          RoleArn: this.#roleArn,
          // The name appears in the operator's audit logs of credential use, so it identifies no person.
          RoleSessionName: `nolo-${prefix.slice(incomingFolder.length, -1)}`,
          DurationSeconds: credentialsLifetimeSeconds,
          Policy: policyFor(bucket, prefix, partition),
        }),
      ),
    );
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
    if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) {
      throw storageUnavailable(new Error('STS returned no credentials.'));
    }
    return {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
      expiresAt: Expiration,
      bucket,
      region,
    };
  }

  async *listIncoming(before: Date): AsyncGenerator<readonly StrayUpload[]> {
    yield* this.#listObjects(before);
    yield* this.#listUploads(before);
  }

  async *#listObjects(before: Date): AsyncGenerator<readonly StrayUpload[]> {
    let token: string | undefined;
    do {
      const page = await this.#request(() =>
        this.#driver.client.send(
          new ListObjectsV2Command({ Bucket: this.#options.bucket, Prefix: incomingFolder, ContinuationToken: token }),
        ),
      );
      const old = (page.Contents ?? []).filter(({ LastModified }) => LastModified && LastModified < before);
      yield old.map(({ Key = '' }) => ({ key: Key as StorageKey, storageUploadId: null }));
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Lists multipart uploads started with credentials; their parts are not visible elsewhere. */
  async *#listUploads(before: Date): AsyncGenerator<readonly StrayUpload[]> {
    let marker: { KeyMarker: string | undefined; UploadIdMarker: string | undefined } | undefined;
    do {
      const page = await this.#request(() =>
        this.#driver.client.send(
          new ListMultipartUploadsCommand({ Bucket: this.#options.bucket, Prefix: incomingFolder, ...marker }),
        ),
      );
      const old = (page.Uploads ?? []).filter(({ Initiated }) => Initiated && Initiated < before);
      yield old.map(({ Key = '', UploadId = '' }) => ({ key: Key as StorageKey, storageUploadId: UploadId }));
      marker =
        page.IsTruncated === true && page.NextKeyMarker
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : undefined;
    } while (marker !== undefined);
  }

  async #request<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw storageUnavailable(error);
    }
  }
}
