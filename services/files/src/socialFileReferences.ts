import { parseId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { SocialServiceDefinition } from '@nolo/proto/social';
import type { FileReferences } from './domain/sharedPorts.ts';

/** Maximum number of files per call to social-scheduler. */
const maxIdsPerCall = 500;

/**
 * Queries social-scheduler: files used by a post are retained. That does not make them readable for anyone except their
 * owner.
 */
export function createSocialFileReferences(
  social: Pick<RpcClient<typeof SocialServiceDefinition>, 'listPostFiles'>,
): FileReferences {
  return {
    canRead: () => Promise.resolve(false),

    async listNamed(fileIds) {
      const pages = Array.from({ length: Math.ceil(fileIds.length / maxIdsPerCall) }, (_, page) =>
        fileIds.slice(page * maxIdsPerCall, (page + 1) * maxIdsPerCall),
      );
      const answers = await Promise.all(pages.map((page) => social.listPostFiles({ fileIds: [...page] })));
      return answers.flatMap((answer) => answer.fileIds.flatMap((id) => parseId(id) ?? []));
    },
  };
}
