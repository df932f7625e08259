/* SPDX-License-Identifier: Apache-2.0
 *
 * The least a process can cost: the yardstick for --version. Does nothing.
 */
int main(void)
{
	return 0;
}
