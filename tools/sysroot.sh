#!/usr/bin/env bash
# Unpacks Debian packages for another processor into a folder, to compile and link against:
#
#     tools/sysroot.sh arm64 build/aarch64-sysroot libzstd-dev libzstd1 …
#
# apt gets lists, cache and sources of its own, inside of that folder: nothing is installed, no foreign architecture
# is added to the system, and nobody needs to be root. What a library needs to run comes with it, except for the C
# library, which is the cross compiler's; of a package …-dev, only itself, so name the library too.
# Fetches nothing if all of them are there already.
set -euo pipefail

(( $# >= 3 )) || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
architecture=$1 folder=$2
shift 2
mkdir -p "$folder"
folder=$(realpath "$folder")
[[ -f $folder/packages || -z $(ls -A "$folder") ]] ||
    { echo "$folder was not made by this script: name another folder." >&2; exit 1; }
touch "$folder/packages"
wanted=$(printf '%s\n' "$@" $(<"$folder/packages") | sort -u)
[[ $wanted == "$(<"$folder/packages")" ]] && exit

codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[[ -f $keys && $(. /etc/os-release && echo "$ID") == debian ]] ||
    { echo "This is not Debian: unpack these packages of Debian for $architecture into $folder: $*" >&2; exit 1; }

# Where this system gets its own packages from; Debian's mirrors have those for all processors.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $codename" 'Component: main' | head -n 1)
[[ -n $mirror ]] || { echo "apt knows no source of $codename: see /etc/apt." >&2; exit 1; }

apt=$folder/apt
rm -rf "${folder:?}"/*
touch "$folder/packages" # still empty: if something fails, all is fetched again
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/packages"
echo "deb [signed-by=$keys] $mirror $codename main" >"$apt/sources.list"
options=(
    -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=
    -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=-
    -o Dir::State::lists="$apt/lists" -o Dir::State::status=/dev/null
    -o Dir::Cache="$apt" -o Dir::Cache::archives="$apt/archives"
)
apt-get "${options[@]}" update -o APT::Update::Error-Mode=any
libraries=() headers=()
for package in $wanted; do
    if [[ ${package%:*} == *-dev ]]; then headers+=("$package"); else libraries+=("$package"); fi
done
needed=$(apt-get "${options[@]}" --simulate --no-install-recommends install "${libraries[@]}" |
    awk '$1 == "Inst" && $2 !~ /^(libc6|libgcc-s1|gcc-[0-9]+-base|libcrypt1)$/ { print $2 }')
(cd "$apt/packages" && apt-get "${options[@]}" download $needed "${headers[@]}")
for package in "$apt"/packages/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -rf "$apt"
echo "$wanted" >"$folder/packages"
