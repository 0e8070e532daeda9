/** How a coin moves. */
export type Temper =
  /** The old and large ones. */
  | 'calm'
  | 'usual'
  /** Those that jump. */
  | 'wild'
  /** Held to a dollar. */
  | 'pegged'

export interface SimulatedCoin {
  readonly id: string
  readonly symbol: string
  readonly name: string
  /** USD around which it moves; order of magnitude of late 2025. */
  readonly level: number
  /** Of its icon. */
  readonly colour: string
  readonly temper: Temper
  /** Another coin that it stands for and keeps a fixed price ratio to. */
  readonly follows?: string
}

const row = (
  id: string,
  symbol: string,
  name: string,
  level: number,
  colour: string,
  temper: Temper = 'usual',
  follows?: string,
): SimulatedCoin => ({ id, symbol, name, level, colour, temper, ...(follows === undefined ? {} : { follows }) })

/** In order of market-cap rank. Ids, symbols and names are CoinGecko's. */
export const SIMULATED_COINS: readonly SimulatedCoin[] = [
  row('bitcoin', 'btc', 'Bitcoin', 104_000, '#f7931a', 'calm'),
  row('ethereum', 'eth', 'Ethereum', 3_500, '#627eea', 'calm'),
  row('tether', 'usdt', 'Tether', 1, '#26a17b', 'pegged'),
  row('ripple', 'xrp', 'XRP', 2.4, '#4a5a6a'),
  row('binancecoin', 'bnb', 'BNB', 980, '#f0b90b', 'calm'),
  row('solana', 'sol', 'Solana', 165, '#7a5cf0'),
  row('usd-coin', 'usdc', 'USDC', 1, '#2775ca', 'pegged'),
  row('staked-ether', 'steth', 'Lido Staked Ether', 3_500, '#00a3ff', 'calm', 'ethereum'),
  row('tron', 'trx', 'TRON', 0.29, '#e5152b', 'calm'),
  row('dogecoin', 'doge', 'Dogecoin', 0.178, '#c2a633', 'wild'),
  row('cardano', 'ada', 'Cardano', 0.58, '#1f5bd8'),
  row('wrapped-bitcoin', 'wbtc', 'Wrapped Bitcoin', 104_000, '#5a4a66', 'calm', 'bitcoin'),
  row('hyperliquid', 'hype', 'Hyperliquid', 39.5, '#2fbf9f', 'wild'),
  row('chainlink', 'link', 'Chainlink', 15.8, '#2a5ada'),
  row('bitcoin-cash', 'bch', 'Bitcoin Cash', 495, '#0ac18e'),
  row('stellar', 'xlm', 'Stellar', 0.285, '#5b6472'),
  row('leo-token', 'leo', 'LEO Token', 9.3, '#d9822b', 'calm'),
  row('zcash', 'zec', 'Zcash', 480, '#e0a92e', 'wild'),
  row('litecoin', 'ltc', 'Litecoin', 98, '#345d9d'),
  row('hedera-hashgraph', 'hbar', 'Hedera', 0.17, '#33363f'),
  row('avalanche-2', 'avax', 'Avalanche', 17.6, '#e84142'),
  row('sui', 'sui', 'Sui', 2.1, '#4da2ff', 'wild'),
  row('shiba-inu', 'shib', 'Shiba Inu', 0.0000098, '#f05a22', 'wild'),
  row('monero', 'xmr', 'Monero', 370, '#f26822'),
  row('dai', 'dai', 'Dai', 1, '#f5ac37', 'pegged'),
  row('the-open-network', 'ton', 'Toncoin', 2.05, '#0098ea'),
  row('crypto-com-chain', 'cro', 'Cronos', 0.128, '#1a2f6b'),
  row('polkadot', 'dot', 'Polkadot', 3.1, '#e6007a'),
  row('mantle', 'mnt', 'Mantle', 1.3, '#3f7f78'),
  row('bittensor', 'tao', 'Bittensor', 395, '#4c4f57', 'wild'),
  row('uniswap', 'uni', 'Uniswap', 7.6, '#ff007a'),
  row('near', 'near', 'NEAR Protocol', 2.6, '#1fae78', 'wild'),
  row('aave', 'aave', 'Aave', 205, '#9391f7'),
  row('bitget-token', 'bgb', 'Bitget Token', 3.9, '#00b8c8'),
  row('okb', 'okb', 'OKB', 122, '#3d5afe', 'calm'),
  row('pepe', 'pepe', 'Pepe', 0.0000058, '#4c9a3f', 'wild'),
  row('ethereum-classic', 'etc', 'Ethereum Classic', 15.6, '#3ab83a'),
  row('aptos', 'apt', 'Aptos', 3.1, '#2dd8a3'),
  row('internet-computer', 'icp', 'Internet Computer', 5.9, '#8a3fa8', 'wild'),
  row('ondo-finance', 'ondo', 'Ondo', 0.64, '#3a5488'),
  row('worldcoin-wld', 'wld', 'Worldcoin', 0.78, '#5c5f66', 'wild'),
  row('polygon-ecosystem-token', 'pol', 'POL', 0.172, '#8247e5'),
  row('algorand', 'algo', 'Algorand', 0.172, '#4f5965'),
  row('kaspa', 'kas', 'Kaspa', 0.05, '#49c5b1'),
  row('arbitrum', 'arb', 'Arbitrum', 0.275, '#28a0f0'),
  row('vechain', 'vet', 'VeChain', 0.0162, '#15bdff'),
  row('cosmos', 'atom', 'Cosmos Hub', 2.9, '#5064a8'),
  row('filecoin', 'fil', 'Filecoin', 2.05, '#0090ff'),
  row('render-token', 'render', 'Render', 2.3, '#cf2a2a', 'wild'),
  row('sei-network', 'sei', 'Sei', 0.178, '#9e1f3b'),
  row('quant-network', 'qnt', 'Quant', 82, '#5a6ee0'),
  row('optimism', 'op', 'Optimism', 0.41, '#ff0420'),
  row('bonk', 'bonk', 'Bonk', 0.0000122, '#f7a11a', 'wild'),
  row('injective-protocol', 'inj', 'Injective', 7.1, '#00a9d6'),
  row('immutable-x', 'imx', 'Immutable', 0.42, '#3d8fb5'),
  row('blockstack', 'stx', 'Stacks', 0.41, '#6c4ee6'),
  row('curve-dao-token', 'crv', 'Curve DAO', 0.46, '#d0483e', 'wild'),
  row('celestia', 'tia', 'Celestia', 0.95, '#7b2bf9', 'wild'),
  row('the-graph', 'grt', 'The Graph', 0.063, '#6f4cd2'),
  row('tezos', 'xtz', 'Tezos', 0.57, '#2c7df7'),
]

/** Hues that stand well beside each other, for coins whose own colour is not known. */
const HUES = ['#3867d6', '#8854d0', '#20a58a', '#d1622b', '#c0392b', '#2d98da', '#6a7f2a', '#b8388f']
const OWN: ReadonlyMap<string, string> = new Map(SIMULATED_COINS.map(({ id, colour }) => [id, colour]))

function colourOf(id: string): string {
  let sum = 0
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) >>> 0
  return OWN.get(id) ?? HUES[sum % HUES.length]!
}

/** Relative luminance (WCAG 2) of a colour `#rrggbb`. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** Letters and digits alone go into the picture; the longer the mark, the smaller it is set. */
const markOf = (symbol: string): string =>
  symbol
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 4)
    .toUpperCase()
const SIZES = [30, 30, 25, 20, 16]

/** A coin's icon as SVG: its mark on a disc of its colour. Drawn here, so that nothing is fetched from elsewhere. */
export function coinIcon(id: string, symbol: string): string {
  const colour = colourOf(id)
  const mark = markOf(symbol)
  // The better contrast of the two: equal at a luminance of 0.179.
  const ink = luminance(colour) > 0.179 ? '#10131a' : '#ffffff'
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">` +
    `<circle cx="32" cy="32" r="32" fill="${colour}"/>` +
    `<circle cx="32" cy="32" r="27.5" fill="none" stroke="${ink}" stroke-opacity=".28" stroke-width="1.5"/>` +
    `<text x="32" y="32" fill="${ink}" font-family="Inter,Arial,Helvetica,sans-serif" font-weight="700" ` +
    `font-size="${SIZES[mark.length]}" text-anchor="middle" dominant-baseline="central">${mark}</text></svg>`
  )
}
