import type { Call } from '../reading/call.ts';
import { readCode } from '../reading/code.ts';
import { literalText } from '../words/word.ts';
import type { Program } from './program.ts';

const ENCLOSURE = 'enclosure_control process_launch';

/** Programs that boot, drive or set up machines, containers and sandboxes. What they run inside counts as well. */
export const ENCLOSURES: readonly Program[] = [
  {
    names: 'docker podman nerdctl docker-compose podman-compose buildah skopeo finch',
    does: ENCLOSURE,
    operands: 'text',
    read: readContainer,
  },
  {
    names: 'kubectl oc helm k9s',
    does: `${ENCLOSURE} network_egress`,
    operands: 'text',
    read: readNamed,
  },
  {
    names:
      'kind minikube k3d k3s crictl ctr runc crun vagrant virsh virt-install lxc lxd lxc-attach incus multipass firecracker limactl colima orb machinectl systemd-nspawn vboxmanage vmrun qemu-img packer distrobox toolbox',
    does: ENCLOSURE,
    operands: 'text',
    read: readNamed,
  },
  {
    names: 'qemu qemu-system-x86_64 qemu-system-aarch64 qemu-x86_64 qemu-aarch64 qemu-nbd',
    does: `${ENCLOSURE} file_write write_outside_worktree network_egress`,
    operands: 'text',
    read: readNamed,
  },
  {
    names: 'bwrap firejail nsjail proot arch-chroot schroot minijail0 sandbox-exec landrun',
    does: ENCLOSURE,
    operands: 'text',
    read: readNamed,
  },
  {
    names: 'chroot',
    does: ENCLOSURE,
    options: 'userspec:text groups:text skip-chdir',
    operands: 'text command',
    stops: true,
    read: readNamed,
  },
  { names: 'unshare nsenter', does: ENCLOSURE, operands: 'text', read: readNamed },
];

/** Words among the arguments that send to a registry, reach the network, or give a machine files of this one. */
const SENDS = /^(push|publish|login|copy|sync|release|--push|imagetools|.*type=registry.*)$/;
const REACHES =
  /^(pull|push|run|build|login|search|create|compose|up|init|launch|start|box|install|copy|remote|image)$/;
const MOUNTS = /^(-v|--volume|--mount|cp|save|export|-o|--output)/;

function readContainer(call: Call): void {
  const texts = call.args.map(literalText);
  const some = (words: RegExp) => texts.some((text) => text !== null && words.test(text));
  if (some(SENDS)) call.add('provider_sync_write');
  if (some(/^(login|secret)$/)) call.add('secret_access');
  if (some(MOUNTS)) call.add('file_write', 'write_outside_worktree');
  readNamed(call);
}

const KNOWN =
  /^(git|gh|glab|rm|bash|sh|zsh|dash|ash|env|sudo|npm|npx|pnpm|yarn|pip3?|cargo|curl|wget|ssh|python3?|node|perl|ruby|cat|cp|mv|tee|apt|apt-get|apk|cctl)$/;

/** Every class that the arguments name: as text, and as the command that they may be. */
function readNamed(call: Call): void {
  const texts = call.args.map(literalText);
  if (texts.includes(null)) {
    call.anything('has arguments only known at run time');
    return;
  }
  if (texts.some((text) => REACHES.test(text ?? ''))) call.add('network_egress');
  readCode(call, texts.join(' '));
  const at = texts.findIndex((text) => KNOWN.test((text ?? '').replace(/^.*\//, '')));
  if (at >= 0) call.command(call.args.slice(at));
}
