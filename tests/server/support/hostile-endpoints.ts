const GOOD = 'fcm.googleapis.com'

/** Hosts of this machine, of private networks, of clouds' insides, and of nobody, in every spelling. */
// oxfmt-ignore
const INSIDE = [
  'localhost', 'localhost.', 'localhost.localdomain', 'app.localhost', 'ip6-localhost', 'metadata', 'metadata.google.internal', 'kubernetes.default.svc', 'db', 'redis.internal', 'router.lan', 'printer.local', 'host.docker.internal',
  '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '0.0.0.0', '0', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001', '0x7F.1', '127.0.0.1:443', '127.0.0.1:80', '127.0.0.1:8080', '127.0.0.1:22',
  '10.0.0.1', '10.255.255.255', '167772161', '012.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.1.1:8443', '3232235521', '0xc0a80001', '100.64.0.1', '169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '198.18.0.1', '192.0.2.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255',
  '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '[::ffff:0:127.0.0.1]', '[2001::1]',
  '8.8.8.8', '1.1.1.1', '[2606:4700::1111]', 'example.com', 'push.example', '①②⑦.⓪.⓪.①', '１２７.０.０.１', 'ⓛocalhost', '127。0。0。1', '127%2e0%2e0%2e1', '%6c%6f%63%61%6c%68%6f%73%74',
]

/** Hosts that look like push services. */
// oxfmt-ignore
const LOOK_ALIKES = [
  'fcm.googleapis.com.evil.example', 'fcm.googleapis.com.', 'fcm-googleapis.com', 'fcmgoogleapis.com', 'evil.fcm.googleapis.com', 'xfcm.googleapis.com', 'googleapis.com', 'storage.googleapis.com', 'fcm.googleapis.co', 'fcm.googleapis.com.co', 'fcm.googIeapis.com', 'fcm.goog1eapis.com', 'fcm.gооgleapis.com', 'fcm.googleapis.com:8443', 'fcm.googleapis.com:80', 'fcm.googleapis.com:22', 'fcm..googleapis.com', 'fcm.googleapis.com%00.evil.example', 'fcm.googleapis.com%2eevil.example', 'fcm.googleapis.com%2f.evil.example', 'fcm.googleapis.com\u0000.evil.example', 'fcm.googleapis.com。evil.example', 'ｆcm.googleapis.com.evil.example',
  'updates.push.services.mozilla.com.evil.example', 'updates-push.services.mozilla.com', 'push.services.mozilla.com', 'xpush.services.mozilla.com', 'services.mozilla.com', 'mozilla.com', 'updates.push.services.mozilla.com.', 'updates.push.services.mozilla.com:444', 'updates.push.services.mozi11a.com', 'updates.push.services.mozilla.org', 'evilpush.services.mozilla.com',
  'notify.windows.com', 'xnotify.windows.com', 'wns.notify.windows.com.evil.example', 'wnsnotify.windows.com', 'wns.notify.windows.com.', 'wns.notify.windows.net', 'windows.com', 'notify.windows.com.evil.example',
  'push.apple.com', 'web.push.apple.com.evil.example', 'xpush.apple.com', 'webpush.apple.com', 'web.push.apple.com.', 'apple.com', 'web.push.apple.co', 'web.push.apple.com:8080', 'web-push-apple-com.evil.example',
]

/** Spellings before or around the host that some parsers take for something else. */
// oxfmt-ignore
const DRESSED = [
  `https://user@${GOOD}/x`, `https://user:secret@${GOOD}/x`, `https://:secret@${GOOD}/x`, `https://${GOOD}@127.0.0.1/x`, `https://${GOOD}:443@127.0.0.1/x`, `https://${GOOD}%40127.0.0.1/x`, `https://127.0.0.1#@${GOOD}/x`, `https://127.0.0.1?@${GOOD}/x`, `https://127.0.0.1/@${GOOD}/x`, `https://127.0.0.1\\@${GOOD}/x`, `https://${GOOD}\\@127.0.0.1/x`, `https://127.0.0.1;${GOOD}/x`, `https://127.0.0.1,${GOOD}/x`, `https://127.0.0.1 ${GOOD}/x`, `https://${GOOD} .evil.example/x`, `https://${GOOD}/x#fragment`,
  `http://${GOOD}/x`, `http://${GOOD}:443/x`, `ftp://${GOOD}/x`, `ws://${GOOD}/x`, `wss://${GOOD}/x`, `file://${GOOD}/etc/passwd`, 'file:///etc/passwd', 'data:text/plain,x', 'javascript:alert(1)', `gopher://${GOOD}:70/_x`, `unix:/var/run/docker.sock`, `http+unix://%2Fvar%2Frun%2Fdocker.sock/x`, `//${GOOD}/x`, `${GOOD}/x`, 'about:blank', 'blob:https://fcm.googleapis.com/x',
  `https:\\\\127.0.0.1\\x`, `https:127.0.0.1/x`, `https:/127.0.0.1/x`, `https:///127.0.0.1/x`, ` https://${GOOD}/x`, `https://${GOOD}/x\n`, `https://${GOOD}/x\r\nHost: evil.example`, `ht\ntps://${GOOD}/x`, `https://127.0.0.1\t.${GOOD}/x`, `https://\u202e${GOOD}/x`, `https://${GOOD}/é`, `https://${GOOD}/\u0000`, `https://[${GOOD}]/x`, `https://${GOOD}:65536/x`, `https://${GOOD}:-1/x`, `https://${GOOD}:0/x`, `https://${GOOD}:443:80/x`, 'https://', 'https:///', 'https://.', 'https://..', `https://.${GOOD}/x`, 'https://.push.apple.com/x', 'https://a..push.apple.com/x', '', 'x', '/', '?', '#', 'https', 'null', 'undefined', '[object Object]',
]

/** Endpoints that a server must not send anything to. */
export const HOSTILE_ENDPOINTS: readonly string[] = [
  ...INSIDE.flatMap((host) => [`https://${host}/fcm/send/x`, `http://${host}/`, `https://${host}?${GOOD}`]),
  ...LOOK_ALIKES.map((host) => `https://${host}/fcm/send/x`),
  ...DRESSED,
]

/** Addresses that the names of push services must not lead to, though a resolver may answer them: one that was poisoned, rebound, or our own. */
// oxfmt-ignore
export const HOSTILE_ADDRESSES: readonly string[] = [
  '127.0.0.1', '127.8.8.8', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.255', '100.64.0.1', '100.127.255.255', '169.254.0.1', '169.254.169.254', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255',
  '::1', '::', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', '2001:10::1', '2001:20::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'ff0e::1', '100::1', '3fff::1', '5f00::1', '1::1', '4000::1', '8000::1',
  '', 'localhost', '127.1', '2130706433', '0x7f.1',
]
